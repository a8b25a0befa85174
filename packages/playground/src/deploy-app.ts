import { labels, labelValues, virtualNodeToleration } from '@liqo/api';
import { type Client, type Clock, Deployment } from '@liqo/kube';
import type { PodTemplate } from './kubernetes.ts';
import { until } from './until.ts';
import type { WantedApp } from './wish.ts';

interface AppWork extends WantedApp {
  readonly website: PodTemplate;
  readonly clock: Clock;
}

/** Creates the Deployment, and waits until all its pods are ready. */
export async function deployApp(
  client: Client,
  { clock, ...app }: AppWork,
  signal?: AbortSignal,
): Promise<void> {
  const { name, namespace, replicas } = app;
  await client.create(Deployment, forgeDeployment(app), signal);
  const look = async () => {
    const { status } = (await client.get(Deployment, { namespace, name }, signal)) ?? {};
    const ready = status?.readyReplicas ?? 0;
    return ready < replicas ? `${ready} of ${replicas} pods of "${name}" are ready` : undefined;
  };
  await until(clock, look, signal);
}

function forgeDeployment({
  name,
  namespace,
  replicas,
  hasSettings = false,
  website,
}: Omit<AppWork, 'clock'>): Deployment {
  const marks = { app: name };
  const envFrom = hasSettings ? [{ configMapRef: { name } }, { secretRef: { name } }] : [];
  const containers = website.spec?.containers.map((one) => ({ ...one, envFrom }));
  return {
    metadata: { name, namespace, labels: marks },
    spec: {
      replicas,
      selector: { matchLabels: marks },
      template: {
        metadata: { ...website.metadata, labels: marks },
        spec: {
          ...website.spec,
          containers: containers ?? [],
          nodeSelector: { [labels.type]: labelValues.virtualNode },
          tolerations: [{ ...virtualNodeToleration }],
        },
      },
    },
  };
}
