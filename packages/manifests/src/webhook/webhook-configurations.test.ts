import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { defaultValues } from '../values.ts';
import { forgeMutatingWebhooks, forgeValidatingWebhooks } from './webhook-configurations.ts';

const values = { ...defaultValues, clusterID: 'rome' };
const hooks = [
  ...(forgeMutatingWebhooks(values).webhooks ?? []),
  ...(forgeValidatingWebhooks(values).webhooks ?? []),
];
const skippable = (name: string) =>
  hooks.find((hook) => hook.name === name)?.objectSelector !== undefined;

test('the webhooks have the names, paths and failure policies of docs/offloading/webhooks.md', () => {
  const rows = hooks.map(({ name, clientConfig, failurePolicy }) =>
    [name, clientConfig.service?.path, failurePolicy].join(' '),
  );
  expect(rows).toEqual([
    'pod.mutate.liqo.io /mutate/pod Fail',
    'enabled.pod.mutate.liqo.io /mutate/pod Fail',
    'shadowpod.mutate.liqo.io /mutate/shadowpods Fail',
    'fc.mutate.liqo.io /mutate/foreign-cluster Fail',
    'tenant.mutate.liqo.io /mutate/tenants Fail',
    'shadowpod.validate.liqo.io /validate/shadowpods Fail',
    'fc.validate.liqo.io /validate/foreign-cluster Fail',
    'nsoff.validate.liqo.io /validate/namespace-offloading Fail',
    'resourceslice.validate.liqo.io /validate/resourceslices Fail',
    'tenant.validate.liqo.io /validate/tenants Fail',
    'virtualnode.validate.liqo.io /validate/virtualnodes Fail',
  ]);
  const page = new URL('../../../../docs/offloading/webhooks.md', import.meta.url);
  const described = [...readFileSync(page, 'utf8').matchAll(/^\| `([a-z.]+\.liqo\.io)` \|/gm)];
  expect(described.map(([, name]) => name).toSorted()).toEqual(
    hooks.map(({ name }) => name).toSorted(),
  );
});

test('with webhook.failurePolicy=Ignore only the rule for pods lets requests through', () => {
  const lenient = { ...values, webhook: { ...values.webhook, failurePolicy: 'Ignore' as const } };
  const all = [
    ...(forgeMutatingWebhooks(lenient).webhooks ?? []),
    ...(forgeValidatingWebhooks(lenient).webhooks ?? []),
  ];
  const ignored = all.filter(({ failurePolicy }) => failurePolicy === 'Ignore');
  expect(ignored.map(({ name }) => name)).toEqual([
    'pod.mutate.liqo.io',
    'enabled.pod.mutate.liqo.io',
  ]);
});

test('no label of a pod, ShadowPod or ResourceSlice keeps it from being asked about', () => {
  for (const { name } of hooks) {
    expect(skippable(name), name).toBe(/^(fc|nsoff|tenant|virtualnode)\./.test(name));
  }
});

test('no webhook is asked about deletions, subresources, or kinds of others besides pods', () => {
  const rules = hooks.flatMap((hook) => hook.rules ?? []);
  for (const { apiGroups = [], operations = [], resources = [] } of rules) {
    expect(operations).not.toContain('DELETE');
    expect(operations).not.toContain('*');
    const isPod = apiGroups.includes('');
    expect(resources).toEqual(isPod ? ['pods'] : [expect.stringMatching(/^[a-z]+$/)]);
    if (!isPod) expect(apiGroups).toEqual([expect.stringMatching(/\.liqo\.io$/)]);
  }
});

test('every webhook is also asked about other versions of its kind, and answers dry runs', () => {
  for (const { name, matchPolicy, sideEffects } of hooks) {
    expect({ name, matchPolicy, sideEffects }).toEqual({
      name,
      matchPolicy: 'Equivalent',
      sideEffects: 'None',
    });
  }
});
