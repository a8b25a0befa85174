import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { podPolicyPage, renderPodPolicyPage } from '../../bin/pod-policy-page.ts';
import { defaultPodPolicy } from './pod-policy.ts';
import { policyRules } from './policy-rules.ts';

test('the published page is made from the rules', () => {
  expect(readFileSync(podPolicyPage, 'utf8'), 'Stale: run `npm run pod-fields`').toBe(
    renderPodPolicyPage(),
  );
});

test('every value of the policy is named by a rule, and every rule names a value that exists', () => {
  const named = policyRules.flatMap(({ value }) => value ?? []);
  const values = Object.keys(defaultPodPolicy).filter((name) => name !== 'deniedAnnotations');
  expect([...new Set(named)].sort()).toEqual(values.map((name) => `consumers.pods.${name}`).sort());
});
