import { fileURLToPath } from 'node:url';
import { templateRules } from '../src/kubelet-template/template-rules.ts';

export const kubeletTemplatePage = fileURLToPath(
  new URL('../../../docs/offloading/virtual-kubelet-template.md', import.meta.url),
);

/** The page about what a VirtualNode may say about its virtual kubelet, from the rules that the controller goes by. */
export function renderKubeletTemplatePage(): string {
  return `${[
    '<!-- Generated from packages/model/src/kubelet-template: change the rules there, then run `npm run pod-fields`. -->',
    '# What a VirtualNode may change in its virtual kubelet',
    introduction,
    renderRules(),
  ].join('\n\n')}\n`;
}

const introduction = `A virtual kubelet has rights in the whole cluster: it reads all pods, and writes the status of those on its Node. A right on VirtualNodes
must not become these rights. So the image, the arguments and the placement of virtual kubelets are decided by the
[VkOptionsTemplate](../kinds/vk-options-template.md), which is in the namespace of Liqo or in the tenant namespace, and
\`spec.template\` of a [VirtualNode](../kinds/virtual-node.md) may change the fields of this table. A template with any other field, or
with a value that the table refuses, is refused as a whole: the VirtualNode has the reason \`TemplateRefused\` and a message that names
each field, an Event says the same, and a virtual kubelet that runs stays as it is.

Fields that are *ignored* are those that the webhook of Liqo v1.2 fills in. A VirtualNode that it has filled in works as it is.`;

function renderRules(): string {
  const rows = templateRules.map(
    ({ at, field, fate, about }) => `| \`${at}.${field}\` | ${fate}: ${about} |`,
  );
  return ['| field of `spec.template` | in the Deployment |', '| --- | --- |', ...rows].join('\n');
}
