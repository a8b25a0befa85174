import { labels, ShadowPod } from '@liqo/api';
import { type Client, type KubeObject, Pod } from '@liqo/kube';
import { readRemotePod, readRemoteShadowPod } from '@liqo/model';
import { type CachedReader, type Informer, startInformer } from '@liqo/runtime';
import type { KubeletContext } from '../kubelet-context.ts';

/** What the provider has of one namespace of ours, as far as it is from this virtual node. */
export interface RemoteNamespace {
  /** Its name at the provider. */
  readonly name: string;
  readonly shadowPods: Informer<ShadowPod>;
  readonly pods: CachedReader<Pod>;
  readonly hasSynced: boolean;
  /** False once the consumer does not ask for it any more: its pods are followed to their end, and no other is sent. */
  readonly isWanted: boolean;
}

interface RemoteNamespaceOptions {
  readonly context: KubeletContext;
  readonly client: Client;
  readonly remote: string;
  /** Told the name of a pod that changed over there; it has the same name here. */
  readonly onChange: (podName: string) => void;
  /** Told when everything there is has been seen. */
  readonly onSynced: () => void;
  /** Told of the first ShadowPod where there was none: the namespace may have been made anew meanwhile. */
  readonly onFirst: () => void;
}

/** Watches one namespace at the provider until disposed. */
export class WatchedNamespace implements RemoteNamespace, AsyncDisposable {
  readonly name: string;
  readonly shadowPods: Informer<ShadowPod>;
  readonly pods: Informer<Pod>;
  isWanted = true;

  constructor(options: RemoteNamespaceOptions) {
    const { context, client, remote, onChange, onSynced, onFirst } = options;
    const { clock, random, consumerClusterID, providerClusterID, virtualNode } = context;
    this.name = remote;
    const log = context.log.with({ namespace: remote });
    const labelSelector = [
      `${labels.origin}=${consumerClusterID}`,
      `${labels.destination}=${providerClusterID}`,
      `${labels.nodeName}=${virtualNode.name}`,
    ].join();
    const shared = { client, clock, random, log, selection: { namespace: remote, labelSelector } };
    this.shadowPods = startInformer({
      ...shared,
      kind: ShadowPod,
      transform: readRemoteShadowPod,
    });
    this.pods = startInformer({ ...shared, kind: Pod, transform: readRemotePod });
    const tell = ({ metadata }: KubeObject) => onChange(metadata?.name ?? '');
    for (const informer of [this.shadowPods, this.pods] as const) {
      informer.subscribe({ onAdd: tell, onUpdate: tell, onDelete: tell });
    }
    let number = 0;
    this.shadowPods.subscribe({
      onAdd: () => {
        number += 1;
        if (number === 1) onFirst();
      },
      onDelete: () => {
        number -= 1;
      },
    });
    void Promise.all([this.shadowPods.synced(), this.pods.synced()]).then(onSynced, stoppedEarly);
  }

  get hasSynced(): boolean {
    return this.shadowPods.hasSynced && this.pods.hasSynced;
  }

  /** For how long the provider has not answered one of the watches. */
  get silentForMs(): number {
    return Math.max(this.shadowPods.silentForMs, this.pods.silentForMs);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.shadowPods[Symbol.asyncDispose](), this.pods[Symbol.asyncDispose]()]);
  }
}

function stoppedEarly(): void {
  // Disposed before it had seen everything: nobody waits for it any more.
}
