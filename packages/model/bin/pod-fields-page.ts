import { fileURLToPath } from 'node:url';
import { containerFields } from '../src/pods/container-fields.ts';
import type { FieldTable } from '../src/pods/field-rule.ts';
import { podSpecFields } from '../src/pods/pod-spec-fields.ts';
import { volumeFields } from '../src/pods/volume-fields.ts';

export const podFieldsPage = fileURLToPath(
  new URL('../../../docs/offloading/pod-fields.md', import.meta.url),
);

/** The page about what becomes of each field of a pod, from the tables that the translation goes by. */
export function renderPodFieldsPage(): string {
  return `${[
    '<!-- Generated from packages/model/src/pods: change the table there, then run `npm run pod-fields`. -->',
    '# What becomes of each field of an offloaded pod',
    introduction,
    '## Pod',
    renderTable(podSpecFields),
    '## Container and init container',
    renderTable(containerFields),
    '## Volume',
    renderTable(volumeFields),
  ].join('\n\n')}\n`;
}

const introduction = `A pod bound to a virtual node becomes a ShadowPod at the provider, from which the provider makes the real pod. Its spec is
copied whole, but for the fields below that say otherwise: a field that a later Kubernetes adds is copied too. The provider
checks all of it again, with [its own rules](pod-policy.md).

- **copied**: the same at the provider.
- **translated**: another value at the provider; the last column says which.
- **removed**: not at the provider; the last column says why.
- **refused**: a pod that has it is not offloaded, and an event on it says so.

Fields marked **follows** can change in a running pod, and the change reaches the provider; so do labels and annotations,
except those that the offloading patch of the virtual node keeps at the consumer. No other change is possible in Kubernetes.
A provider that runs Liqo accepts changes of images, \`activeDeadlineSeconds\` and tolerations only. A change that the provider denies is
reported in the condition \`offloading.liqo.io/Accepted\` of the pod.

ConfigMaps, Secrets and Services have the same names at the provider, where [they are reflected](reflected-objects.md).
PersistentVolumeClaims are not reflected yet: a pod that names one waits until it exists at the provider. The virtual kubelet
itself provides the \`kube-root-ca.crt\` of the consumer and the tokens of service accounts.`;

function renderTable(table: FieldTable): string {
  const rows = Object.entries(table).map(([field, { fate, follows, why }]) =>
    ['', `\`${field}\``, fate, follows ? 'follows' : '', why, ''].join(' | ').trim(),
  );
  return ['| field | | later changes | |', '| --- | --- | --- | --- |', ...rows].join('\n');
}
