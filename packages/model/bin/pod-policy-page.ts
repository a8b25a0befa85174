import { fileURLToPath } from 'node:url';
import { defaultPodPolicy } from '../src/pod-policy/pod-policy.ts';
import { policyRules } from '../src/pod-policy/policy-rules.ts';

export const podPolicyPage = fileURLToPath(
  new URL('../../../docs/offloading/pod-policy.md', import.meta.url),
);

/** The page about what a provider allows in the pods of consumers, from the rules that it goes by. */
export function renderPodPolicyPage(): string {
  return `${[
    '<!-- Generated from packages/model/src/pod-policy: change the rules there, then run `npm run pod-fields`. -->',
    '# What a provider allows in the pods of consumers',
    introduction,
    '## Rules',
    renderRules(),
    '## Defaults of the values',
    ...Object.entries(defaultPodPolicy).map(renderDefault),
  ].join('\n\n')}\n`;
}

const introduction = `A consumer writes ShadowPods as it likes. The provider applies these rules to each one before it makes a pod from it, and again
before a running pod follows a change. A pod that is refused is not made: the ShadowPod has the reason \`PodPolicy\` and a message that
names every problem, the pod at the consumer has them in its status and in an Event, and the ShadowPod is tried again every 30 seconds.
Of a running pod, the change is refused, with the reason \`FailedUpdatePod\`. A change of the values does not end pods that run.

Everything else in a pod is up to the [Pod Security level](https://kubernetes.io/docs/concepts/security/pod-security-standards/) of its
namespace at the provider, which the value \`controllerManager.podSecurityLevel\` sets when the namespace is made: \`baseline\` by
default, \`restricted\` for stricter providers. The API server of the provider enforces it.

The values are those of the chart at the provider; the flags of \`liqo controller-manager\` that begin with \`--consumer-\` say the same.`;

function renderRules(): string {
  const rows = policyRules.map(({ fields, about, value }) =>
    ['', fields, about, value ? `\`${value}\`` : '', ''].join(' | ').trim(),
  );
  const ofMetadata =
    '| annotations and labels | those that begin as the value says are removed; those of Liqo stay | `consumers.pods.deniedAnnotations` |';
  return [
    '| field | at the provider | value that changes it |',
    '| --- | --- | --- |',
    ...rows,
    ofMetadata,
  ].join('\n');
}

function renderDefault([name, value]: [string, string | readonly string[]]): string {
  const words = typeof value === 'string' ? [value] : value;
  const shown = words.filter((word) => word !== '').map((word) => `\`${word}\``);
  return `\`consumers.pods.${name}\`: ${shown.join(', ') || 'empty'}`;
}
