import { labels, labelValues, virtualNodeToleration } from '@liqo/api';
import { shellImage } from '../real-nodes/test-images.ts';

/** The application that has to live through everything: real containers, one with a name of its own, and a crowd. */

export const namespace = 'shop';
export const remoteNamespace = 'shop-rome';
export const nodeName = 'mynode';

const replicas = { web: 3, db: 1, crowd: 100 } as const;
type AppName = keyof typeof replicas;

export const podCount = replicas.web + replicas.db + replicas.crowd;

/** More than a machine has: only hollow nodes take the pods of the crowd. */
const crowdCpu = '64';

const script = 'trap exit TERM; echo started; while true; do sleep 3600 & wait $!; done';

export function forgeApplication(): readonly object[] {
  return [
    forgeWorkload('Deployment', 'web', {
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey: 'kubernetes.io/hostname',
          whenUnsatisfiable: 'ScheduleAnyway',
          nodeTaintsPolicy: 'Honor',
          labelSelector: { matchLabels: { app: 'web' } },
        },
      ],
      containers: [container({})],
    }),
    forgeWorkload('StatefulSet', 'db', { containers: [container({})] }),
    forgeWorkload('Deployment', 'crowd', {
      tolerations: [virtualNodeToleration, { key: 'kwok.x-k8s.io/node', operator: 'Exists' }],
      containers: [container({ requests: { cpu: crowdCpu } })],
    }),
  ];
}

function forgeWorkload(kind: 'Deployment' | 'StatefulSet', name: AppName, spec: object): object {
  const marks = { app: name };
  return {
    apiVersion: 'apps/v1',
    kind,
    metadata: { name, namespace },
    spec: {
      replicas: replicas[name],
      selector: { matchLabels: marks },
      template: {
        metadata: { labels: marks },
        spec: {
          terminationGracePeriodSeconds: 1,
          nodeSelector: { [labels.type]: labelValues.virtualNode },
          tolerations: [virtualNodeToleration],
          ...spec,
        },
      },
    },
  };
}

function container(resources: object): object {
  const command = ['sh', '-c', script];
  return { name: 'main', image: shellImage, imagePullPolicy: 'Never', command, resources };
}
