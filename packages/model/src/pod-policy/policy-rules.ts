import { withoutFates } from '../pods/field-rule.ts';
import { podSpecFields } from '../pods/pod-spec-fields.ts';
import { claimedDevices, hostsOfProbes, withoutHostPorts } from './containers.ts';
import { accountProblems, tokenProblems, withAllowedAccount } from './identity.ts';
import { affinityProblems, withOwnPodsOnly, withoutDeniedTolerations } from './placement.ts';
import { isListed } from './pod-policy.ts';
import type { PolicyRule } from './policy-rule.ts';
import { claimProblems, volumeProblems } from './volumes.ts';

/** In the order of the published table. Changes are applied in this order. */
export const policyRules: readonly PolicyRule[] = [
  {
    fields: removedFields(),
    about: 'removed: the host belongs to the provider, and so do its scheduler and its priorities',
    change: (spec) => withoutFates(spec, podSpecFields, ['removed']),
  },
  {
    fields: '`priorityClassName`',
    about: 'removed, or replaced by the class of the value',
    value: 'consumers.pods.priorityClassName',
    change: (spec, { policy: { priorityClassName } }) =>
      priorityClassName === '' ? spec : { ...spec, priorityClassName },
  },
  {
    fields: '`hostPort` and `hostIP` of the ports of containers',
    about: 'removed',
    change: withoutHostPorts,
  },
  {
    fields: '`tolerations`',
    about:
      'those of taints that begin as the value says are removed, and those of all taints. A pod may stay on a node that is ' +
      'not ready or unreachable for 300 seconds at most, as Kubernetes allows every pod',
    value: 'consumers.pods.deniedTolerations',
    change: withoutDeniedTolerations,
  },
  {
    fields: '`nodeSelector`, `affinity.nodeAffinity`',
    about:
      'a pod is refused that asks for nodes by a label that begins as the value says; it may avoid such nodes',
    value: 'consumers.pods.deniedNodeLabels',
    problems: affinityProblems,
  },
  {
    fields: '`namespaces` and `namespaceSelector` of `affinity.podAffinity` and `podAntiAffinity`',
    about:
      'removed: only pods of the same namespace count, so that no pod of others is kept from a node',
    change: withOwnPodsOnly,
  },
  {
    fields: '`serviceAccountName`, `automountServiceAccountToken`',
    about:
      'the account is `default`, without a token. A pod that asks for another one (`liqo.io/api-server-support: remote`) is ' +
      'refused, unless the value lists it',
    value: 'consumers.pods.serviceAccounts',
    problems: accountProblems,
    change: withAllowedAccount,
  },
  {
    fields: '`volumes`',
    about: 'a pod is refused that has a volume of a type that the value does not list',
    value: 'consumers.pods.volumeTypes',
    problems: volumeProblems,
  },
  {
    fields: '`projected` volumes',
    about:
      'sources can be ConfigMaps, Secrets, the downward API and trust bundles. A pod is refused that asks for tokens or ' +
      'certificates of a service account, unless the value lists the account',
    value: 'consumers.pods.serviceAccounts',
    problems: tokenProblems,
  },
  {
    fields: '`ephemeral` volumes',
    about:
      'a pod is refused whose claim chooses a volume, wants no storage class (`storageClassName: ""`), or takes data from another namespace; the policies for ' +
      'claims of consumers apply to the claim as well',
    problems: claimProblems,
  },
  {
    fields: '`resourceClaims`',
    about: 'a pod is refused that has them: devices of the provider are not for consumers',
    problems: claimedDevices,
  },
  {
    fields: '`runtimeClassName`',
    about: 'a pod is refused whose runtime class the value does not list',
    value: 'consumers.pods.runtimeClasses',
    problems: ({ runtimeClassName }, { policy }) =>
      runtimeClassName === undefined || isListed(runtimeClassName, policy.runtimeClasses)
        ? []
        : [`runtime class "${runtimeClassName}" is not for consumers`],
  },
  {
    fields: '`host` of probes and lifecycle hooks',
    about: 'a pod is refused that has one: kubelets of the provider would connect to it',
    problems: hostsOfProbes,
  },
];

/** `priorityClassName` has a rule of its own. */
function removedFields(): string {
  const removed = Object.entries(podSpecFields).filter(([, { fate }]) => fate === 'removed');
  const names = removed.map(([field]) => field).filter((field) => field !== 'priorityClassName');
  return names.map((field) => `\`${field}\``).join(', ');
}
