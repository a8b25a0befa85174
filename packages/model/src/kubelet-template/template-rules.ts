import { isJsonObject } from '@liqo/kube';
import { argumentProblems } from './template-arguments.ts';
import { imageProblems } from './template-image.ts';
import type { TemplateRule } from './template-rule.ts';
import { containerSecurity, podSecurity, securityProblems } from './template-security.ts';

const apparmor = 'container.apparmor.security.beta.kubernetes.io/';
const ofLiqo = new Set(['POD_IP', 'POD_NAME', 'POD_NAMESPACE', 'VIRTUALNODE_NAME']);

/** Everything that a VirtualNode may say about its virtual kubelet, in the order of the published table. */
export const templateRules: readonly TemplateRule[] = [
  { at: 'metadata', field: 'labels', fate: 'used', about: 'added to those of the options' },
  { at: 'metadata', field: 'annotations', fate: 'used', about: 'added to those of the options' },
  {
    at: 'metadata',
    field: 'name',
    fate: 'ignored',
    about: '`vk-` and the name of the VirtualNode',
  },
  {
    at: 'metadata',
    field: 'namespace',
    fate: 'ignored',
    about: 'the namespace of the VirtualNode',
  },
  { at: 'spec', field: 'replicas', fate: 'used', about: 'replaces that of the options' },
  { at: 'spec', field: 'selector', fate: 'ignored', about: 'the labels of the virtual node' },
  { at: 'spec', field: 'strategy', fate: 'ignored', about: 'the default of Kubernetes' },
  { at: 'spec', field: 'template', fate: 'used', about: 'the fields below' },
  {
    at: 'spec.template.metadata',
    field: 'labels',
    fate: 'used',
    about: 'added to those of the options',
  },
  {
    at: 'spec.template.metadata',
    field: 'annotations',
    fate: 'used',
    about: `added to those of the options. Refused: \`${apparmor}*\``,
    problems: apparmorProblems,
  },
  {
    at: 'spec.template.spec',
    field: 'containers',
    fate: 'used',
    about: 'one, which is the virtual kubelet',
    problems: (value) =>
      Array.isArray(value) && value.length > 1 ? ['has more than one container'] : [],
  },
  {
    at: 'spec.template.spec',
    field: 'serviceAccountName',
    fate: 'ignored',
    about: 'the name of the VirtualNode. Refused: any other name',
    problems: otherAccount,
  },
  {
    at: 'spec.template.spec',
    field: 'serviceAccount',
    fate: 'ignored',
    about: 'the name of the VirtualNode. Refused: any other name',
    problems: otherAccount,
  },
  placement('affinity'),
  placement('nodeSelector'),
  placement('tolerations'),
  placement('topologySpreadConstraints'),
  placement('imagePullSecrets'),
  placement('terminationGracePeriodSeconds'),
  {
    at: 'spec.template.spec',
    field: 'priorityClassName',
    fate: 'used',
    about: 'replaces the default of the cluster. Refused: `system-*`',
    problems: (value) =>
      typeof value === 'string' && value.startsWith('system-')
        ? [`is "${value}", a class of Kubernetes itself`]
        : [],
  },
  {
    at: 'spec.template.spec',
    field: 'securityContext',
    fate: 'used',
    about:
      'added to what Pod Security `restricted` demands: `runAsUser` (not 0), `runAsGroup`, `fsGroup`, `supplementalGroups`. Refused: anything else that differs',
    problems: (value) => securityProblems(value, podSecurity),
  },
  { ...ofContainer('name'), fate: 'ignored', about: '`virtual-kubelet`' },
  {
    ...ofContainer('image'),
    about:
      'replaces the tag or digest of the image of the options. Refused: an image of another name, unless `command` is that of Liqo, whose image is not used',
    problems: imageProblems,
  },
  { ...ofContainer('imagePullPolicy'), about: 'replaces that of the options' },
  { ...ofContainer('command'), fate: 'ignored', about: '`/usr/bin/liqo virtual-kubelet`' },
  {
    ...ofContainer('args'),
    about:
      'flags that replace those of the options; flags that the VirtualNode decides are ignored. Refused: flags that grant rights or weaken checks, unless the options have the same',
    problems: argumentProblems,
  },
  {
    ...ofContainer('env'),
    fate: 'ignored',
    about: `${[...ofLiqo].map((name) => `\`${name}\``).join(', ')}, as Liqo sets them. Refused: any other name`,
    problems: otherVariables,
  },
  { ...ofContainer('ports'), fate: 'ignored', about: 'those of the virtual kubelet' },
  { ...ofContainer('resources'), about: 'replaces those of the options' },
  {
    ...ofContainer('securityContext'),
    about: 'as that of the pod: `runAsUser` (not 0) and `runAsGroup`',
    problems: (value) => securityProblems(value, containerSecurity),
  },
];

function placement(field: string): TemplateRule {
  const about = 'replaces that of the options';
  return { at: 'spec.template.spec', field, fate: 'used', about };
}

function ofContainer(field: string) {
  return { at: 'spec.template.spec.containers', field, fate: 'used' } as const;
}

function otherAccount(value: unknown, { name }: { readonly name: string }): readonly string[] {
  return value === name ? [] : ['is not the ServiceAccount of the virtual node'];
}

function apparmorProblems(value: unknown): readonly string[] {
  const keys = isJsonObject(value) ? Object.keys(value) : [];
  return keys.filter((key) => key.startsWith(apparmor)).map((key) => `has "${key}"`);
}

function otherVariables(value: unknown): readonly string[] {
  const variables = Array.isArray(value) ? value : [value];
  return variables.flatMap((variable) => {
    const name = isJsonObject(variable) ? String(variable.name) : '';
    return ofLiqo.has(name) ? [] : [`sets the variable "${name}"`];
  });
}
