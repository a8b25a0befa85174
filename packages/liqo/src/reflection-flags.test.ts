import { expect, test } from 'vitest';
import { parseFlags } from './flags.ts';
import { parseCustomResources, parseReflection, reflectionFlags } from './reflection-flags.ts';

test.each<[readonly string[], { readonly workers: number; readonly policy: string }]>([
  [[], { workers: 3, policy: 'DenyList' }],
  [['--secret-reflection-workers=7'], { workers: 7, policy: 'DenyList' }],
  [['--secret-reflection-type=AllowList'], { workers: 3, policy: 'AllowList' }],
  [['--secret-reflection-type=Disabled'], { workers: 0, policy: 'DenyList' }],
  [['--secret-reflection-workers=0'], { workers: 0, policy: 'DenyList' }],
])('parseReflection() of %j is %j for Secrets', (args, settings) => {
  const values = parseFlags('virtual-kubelet', reflectionFlags, args);
  const all = parseReflection('virtual-kubelet', values);
  expect(all.secret).toEqual(settings);
  expect(all.configmap).toEqual({ workers: 3, policy: 'DenyList' });
});

test('parseCustomResources() reads each resource once, the last one of a name', () => {
  const texts = ['widgets.v1.example.org', 'gadgets.v1.example.org', 'widgets.v2.example.org'];
  const read = parseCustomResources('virtual-kubelet', texts);
  expect(read.map(({ plural, version }) => `${plural} ${version}`)).toEqual([
    'widgets v2',
    'gadgets v1',
  ]);
});

test('parseCustomResources() refuses what is no custom resource, and says what is one', () => {
  expect(() => parseCustomResources('virtual-kubelet', ['deployments.v1.apps'])).toThrow(
    'Cannot run "liqo virtual-kubelet": "--reflected-resources=deployments.v1.apps" names no custom resource, as widgets.v1.example.org does',
  );
});
