import { readFileSync } from 'node:fs';
import type { VirtualNode } from '@liqo/api';
import { describe, expect, test } from 'vitest';
import { kubeletTemplatePage, renderKubeletTemplatePage } from '../../bin/kubelet-template-page.ts';
import { templateProblems } from './template-problems.ts';
import { templateRules } from './template-rules.ts';

const context = {
  name: 'mynode',
  options: {
    containerImage: 'registry.example.org:5000/liqo:dev',
    createNode: true,
    disableNetworkCheck: true,
    metricsEnabled: false,
  },
  args: ['--nodename=mynode', '--liqo-namespace=liqo', '--enable-apiserver-support=true'],
};

const problems = (template: object | undefined, args = context.args) =>
  templateProblems(template as VirtualNode['spec']['template'], { ...context, args });
const podSpec = (spec: object) => ({ spec: { selector: {}, template: { spec } } });
const container = (fields: object) =>
  podSpec({ containers: [{ name: 'virtual-kubelet', ...fields }] });

const marks = { 'liqo.io/virtual-node': 'mynode' };
const fieldRef = (fieldPath: string) => ({ valueFrom: { fieldRef: { fieldPath } } });

/** As the webhook of Liqo v1.2.0 fills it in. */
const filledInByLiqo = {
  metadata: { name: 'vk-mynode', namespace: 'liqo-tenant-milan', labels: marks },
  spec: {
    replicas: 1,
    selector: { matchLabels: marks },
    strategy: {},
    template: {
      metadata: { labels: marks, creationTimestamp: null },
      spec: {
        containers: [
          {
            name: 'virtual-kubelet',
            image: 'ghcr.io/liqotech/virtual-kubelet:v1.2.0',
            imagePullPolicy: 'IfNotPresent',
            command: ['/usr/bin/virtual-kubelet'],
            args: [
              '--nodename=mynode',
              '--liqo-namespace=liqo',
              '--pod-reflection-workers=10',
              '--enable-apiserver-support=true',
              '--create-node=true',
            ],
            env: [
              { name: 'POD_IP', ...fieldRef('status.podIP') },
              { name: 'POD_NAME', ...fieldRef('metadata.name') },
              { name: 'POD_NAMESPACE', ...fieldRef('metadata.namespace') },
              { name: 'VIRTUALNODE_NAME', value: 'mynode' },
            ],
            resources: {},
          },
        ],
        serviceAccountName: 'mynode',
      },
    },
  },
};

describe('templateProblems()', () => {
  test.each([
    ['no template', undefined],
    ['what Liqo fills in', filledInByLiqo],
    ['labels and annotations', { metadata: { labels: { a: 'b' }, annotations: { a: 'b' } } }],
    [
      'placement',
      podSpec({ nodeSelector: { disk: 'ssd' }, tolerations: [{ operator: 'Exists' }] }),
    ],
    ['another version of the image', container({ image: 'registry.example.org:5000/liqo:v2' })],
    ['a digest of the image', container({ image: 'registry.example.org:5000/liqo@sha256:abc' })],
    ['resources', container({ resources: { limits: { memory: '2Gi' } } })],
    ['a user', container({ securityContext: { runAsUser: 1000, runAsGroup: 1000 } })],
    ['what is off anyhow', podSpec({ hostNetwork: false, volumes: [], hostPID: null })],
    ['fewer rights', container({ args: ['--enable-apiserver-support=false'] })],
  ])('accepts %s', (_, template) => {
    expect(problems(template)).toEqual([]);
  });

  const pod = 'spec.template.spec';
  const kubelet = `${pod}.containers`;

  test.each([
    [podSpec({ hostPID: true }), `${pod}.hostPID cannot be set`],
    [podSpec({ hostNetwork: true }), `${pod}.hostNetwork cannot be set`],
    [podSpec({ hostIPC: true }), `${pod}.hostIPC cannot be set`],
    [podSpec({ nodeName: 'control-plane' }), `${pod}.nodeName cannot be set`],
    [podSpec({ volumes: [{ name: 'host' }] }), `${pod}.volumes cannot be set`],
    [podSpec({ initContainers: [{ name: 'x' }] }), `${pod}.initContainers cannot be set`],
    [podSpec({ runtimeClassName: 'x' }), `${pod}.runtimeClassName cannot be set`],
    [
      podSpec({ containers: [{ name: 'virtual-kubelet' }, { name: 'sidecar' }] }),
      `${pod}.containers has more than one container`,
    ],
    [
      podSpec({ serviceAccountName: 'liqo-controller-manager' }),
      `${pod}.serviceAccountName is not the ServiceAccount of the virtual node`,
    ],
    [
      podSpec({ serviceAccount: 'default' }),
      `${pod}.serviceAccount is not the ServiceAccount of the virtual node`,
    ],
    [
      podSpec({ priorityClassName: 'system-node-critical' }),
      `${pod}.priorityClassName is "system-node-critical", a class of Kubernetes itself`,
    ],
    [
      podSpec({ securityContext: { runAsNonRoot: false } }),
      `${pod}.securityContext sets runAsNonRoot`,
    ],
    [podSpec({ securityContext: { runAsUser: 0 } }), `${pod}.securityContext sets runAsUser`],
    [
      podSpec({ securityContext: { seccompProfile: { type: 'Unconfined' } } }),
      `${pod}.securityContext sets seccompProfile`,
    ],
    [
      podSpec({ securityContext: { sysctls: [{ name: 'a' }] } }),
      `${pod}.securityContext sets sysctls`,
    ],
    [
      container({ securityContext: { privileged: true } }),
      `${kubelet}.securityContext sets privileged`,
    ],
    [
      container({ securityContext: { capabilities: { add: ['SYS_ADMIN'] } } }),
      `${kubelet}.securityContext sets capabilities`,
    ],
    [
      container({ securityContext: { readOnlyRootFilesystem: false } }),
      `${kubelet}.securityContext sets readOnlyRootFilesystem`,
    ],
    [
      container({ image: 'example.org/evil:1' }),
      `${kubelet}.image is not a version of "registry.example.org:5000/liqo", the image of the VkOptionsTemplate`,
    ],
    [
      container({ env: [{ name: 'NODE_OPTIONS', value: '--require=/x' }] }),
      `${kubelet}.env sets the variable "NODE_OPTIONS"`,
    ],
    [container({ envFrom: [{ secretRef: { name: 'x' } }] }), `${kubelet}.envFrom cannot be set`],
    [container({ volumeMounts: [{ name: 'x' }] }), `${kubelet}.volumeMounts cannot be set`],
    [container({ lifecycle: { preStop: {} } }), `${kubelet}.lifecycle cannot be set`],
    [container({ livenessProbe: { exec: {} } }), `${kubelet}.livenessProbe cannot be set`],
    [
      container({ args: ['-allow-insecure-peers'] }),
      `${kubelet}.args has "-allow-insecure-peers", which the VkOptionsTemplate does not have`,
    ],
    [
      container({ args: ['--remote-podcidr', '0.0.0.0/0'] }),
      `${kubelet}.args has "--remote-podcidr=0.0.0.0/0", which the VkOptionsTemplate does not have`,
    ],
    [
      container({ args: ['--allow-$(VIRTUALNODE_NAME)'] }),
      `${kubelet}.args has "--allow-$(VIRTUALNODE_NAME)", whose name has a variable in it`,
    ],
    [{ spec: { selector: {}, paused: true, template: {} } }, 'spec.paused cannot be set'],
    [
      {
        spec: {
          template: {
            metadata: {
              annotations: { 'container.apparmor.security.beta.kubernetes.io/x': 'unconfined' },
            },
          },
        },
      },
      'spec.template.metadata.annotations has "container.apparmor.security.beta.kubernetes.io/x"',
    ],
    [{ metadata: { finalizers: ['x/y'] } }, 'metadata.finalizers cannot be set'],
    [podSpec({ __proto__: null, constructor: { a: 1 } }), `${pod}.constructor cannot be set`],
  ])('refuses %j', (template, problem) => {
    expect(problems(template)).toEqual([problem]);
  });

  test('refuses tokens of other accounts where the options do not grant them', () => {
    const template = container({ args: ['--enable-apiserver-support'] });
    expect(problems(template)).toEqual([]);
    expect(problems(template, [])).toEqual([
      `${kubelet}.args has "--enable-apiserver-support", which the VkOptionsTemplate does not have`,
    ]);
  });

  test('names ten fields, and counts the others', () => {
    const fields = Array.from({ length: 25 }, (_, nth) => [`field${nth}`, 1]);
    const found = problems(podSpec(Object.fromEntries(fields)));
    expect(found).toHaveLength(11);
    expect(found.at(-1)).toBe('and 15 more');
  });

  test('reads templates of any type', () => {
    const templates: unknown[] = ['x', 1, [], { spec: 'x' }, podSpec([] as object)];
    for (const template of [...templates, podSpec({ containers: 'x' }), container({ env: 'x' })]) {
      expect(() => problems(template as object)).not.toThrow();
    }
  });
});

test('the published page is made from the rules, and no rule has a second of its name', () => {
  expect(readFileSync(kubeletTemplatePage, 'utf8'), 'Stale: run `npm run pod-fields`').toBe(
    renderKubeletTemplatePage(),
  );
  const names = templateRules.map(({ at, field }) => `${at}.${field}`);
  expect(new Set(names).size).toBe(names.length);
});
