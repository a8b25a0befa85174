import { labels, labelValues } from '@liqo/api';
import { Pod, type Stored } from '@liqo/kube';
import { silentLogger, startInformer } from '@liqo/runtime';
import type { VirtualClock } from '@liqo/testkit';
import type { SimulatedCluster } from './simulated-cluster.ts';
import type { SimulatedProcess } from './simulated-process.ts';

/** What `liqo virtual-kubelet` is told. */
export interface KubeletFlags {
  readonly nodeName: string;
  readonly namespace: string;
  readonly providerClusterID: string;
  readonly kubeconfigSecretName: string;
  readonly createNode: boolean;
  readonly supportsApiServer: boolean;
  /** Of its pod. */
  readonly serviceAccountName: string;
}

export interface SupervisorOptions {
  readonly home: SimulatedCluster;
  readonly clock: VirtualClock;
  /** Makes the process of a pod, and does not start it. */
  readonly create: (pod: Stored<Pod>, flags: KubeletFlags) => SimulatedProcess;
  readonly forget: (process: SimulatedProcess) => void;
}

/**
 * What machines do with the pods of virtual kubelets: a pod that runs has its process, one that is deleted has none any more.
 * The containers themselves are played.
 */
export function superviseKubelets(options: SupervisorOptions): AsyncDisposable {
  const processes = new Map<string, SimulatedProcess>();
  const heed = (pod: Stored<Pod>, isGone: boolean) => {
    const { uid, deletionTimestamp } = pod.metadata;
    const process = processes.get(uid);
    if (isGone || deletionTimestamp !== undefined) {
      processes.delete(uid);
      if (!process) return;
      void process.stop();
      options.forget(process);
    } else if (!process && pod.status?.phase === 'Running') {
      const started = options.create(pod, readFlags(pod));
      processes.set(uid, started);
      started.start();
    }
  };
  const { home, clock } = options;
  const informer = startInformer({
    client: home.admin,
    kind: Pod,
    clock,
    random: () => 0.5,
    log: silentLogger,
    selection: { labelSelector: `${labels.component}=${labelValues.virtualKubelet}` },
  });
  informer.subscribe({
    onAdd: (pod) => heed(pod, false),
    onUpdate: (_before, pod) => heed(pod, false),
    onDelete: (pod) => heed(pod, true),
  });
  return informer;
}

function readFlags({ metadata, spec }: Stored<Pod>): KubeletFlags {
  const args = spec?.containers.flatMap((container) => container.args ?? []) ?? [];
  const flags = new Map(
    args.map((arg) => {
      const [name = '', ...value] = arg.replace(/^--/, '').split('=');
      return [name, value.join('=')] as const;
    }),
  );
  return {
    nodeName: flags.get('nodename') ?? '',
    namespace: metadata.namespace ?? '',
    providerClusterID: flags.get('foreign-cluster-id') ?? '',
    kubeconfigSecretName: flags.get('foreign-kubeconfig-secret-name') ?? '',
    createNode: flags.get('create-node') !== 'false',
    supportsApiServer: flags.get('enable-apiserver-support') === 'true',
    serviceAccountName: spec?.serviceAccountName ?? 'default',
  };
}
