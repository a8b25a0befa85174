import { allKinds, fixedNames } from '@liqo/api';
import type { ClusterRole, ClusterRoleBinding, Job, KubeObject, ServiceAccount } from '@liqo/kube';
import { imageReference, podSettings } from '../pod-settings.ts';
import type { Values } from '../values.ts';
import { when } from './when.ts';

const upgrade = 'liqo-upgrade-kinds';
const check = 'liqo-check-unused';
const rbac = 'rbac.authorization.k8s.io';

type Hook = 'pre-upgrade' | 'pre-delete';

/** What Helm runs besides: `liqoctl` does the same by itself. */
export function forgeHooks(values: Values): readonly KubeObject[] {
  const { kinds, uninstallCheck } = values.hooks;
  const { namespace } = values;
  const account: ServiceAccount = { metadata: { ...forgeMetadata(upgrade, -2), namespace } };
  const job = { namespace, values };
  return [
    ...when(kinds, [
      typed('v1', 'ServiceAccount', account),
      typed(`${rbac}/v1`, 'ClusterRole', upgradeKindsRole),
      typed(`${rbac}/v1`, 'ClusterRoleBinding', forgeBinding(namespace)),
      typed('batch/v1', 'Job', forgeJob({ ...job, name: upgrade, account: upgrade })),
    ]),
    ...when(uninstallCheck, [
      typed(
        'batch/v1',
        'Job',
        forgeJob({ ...job, name: check, account: fixedNames.controllerManager }),
      ),
    ]),
  ];
}

function typed(apiVersion: string, kind: string, object: KubeObject): KubeObject {
  return { apiVersion, kind, ...object };
}

const hookOf = (name: string): Hook => (name === check ? 'pre-delete' : 'pre-upgrade');

/** Helm removes it once it has succeeded, and prints what it said if it has not. */
function forgeMetadata(name: string, weight: number) {
  const annotations = {
    'helm.sh/hook': hookOf(name),
    'helm.sh/hook-weight': String(weight),
    'helm.sh/hook-delete-policy': 'before-hook-creation,hook-succeeded',
    'helm.sh/hook-output-log-policy': 'hook-failed',
  };
  return { name, annotations };
}

/** For the time of an upgrade: the kinds of Liqo, and no others. */
export const upgradeKindsRole: ClusterRole = {
  metadata: forgeMetadata(upgrade, -2),
  rules: [
    {
      apiGroups: ['apiextensions.k8s.io'],
      resources: ['customresourcedefinitions'],
      resourceNames: allKinds.map(({ plural, group }) => `${plural}.${group}`),
      verbs: ['create', 'get', 'patch'],
    },
  ],
};

function forgeBinding(namespace: string): ClusterRoleBinding {
  return {
    metadata: forgeMetadata(upgrade, -1),
    roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: upgrade },
    subjects: [{ kind: 'ServiceAccount', name: upgrade, namespace }],
  };
}

interface HookJob {
  readonly name: string;
  readonly namespace: string;
  readonly account: string;
  readonly values: Values;
}

function forgeJob({ name, namespace, account, values }: HookJob): Job {
  const { image } = values;
  const [, command = ''] = name.split(/-(.*)/);
  return {
    metadata: { ...forgeMetadata(name, 0), namespace },
    spec: {
      backoffLimit: 0,
      activeDeadlineSeconds: 120,
      template: {
        metadata: { labels: { 'app.kubernetes.io/name': name } },
        spec: {
          ...podSettings(values),
          serviceAccountName: account,
          restartPolicy: 'Never',
          securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
          containers: [
            {
              name: command,
              image: imageReference(image),
              imagePullPolicy: image.pullPolicy,
              command: ['/usr/bin/liqo', command],
              securityContext: {
                allowPrivilegeEscalation: false,
                readOnlyRootFilesystem: true,
                capabilities: { drop: ['ALL'] },
              },
            },
          ],
        },
      },
    },
  };
}
