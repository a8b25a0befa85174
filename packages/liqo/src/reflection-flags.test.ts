import { expect, test } from 'vitest';
import { parseFlags } from './flags.ts';
import { parseReflection, reflectionFlags } from './reflection-flags.ts';

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
