import type { KubeObject } from '@liqo/kube';
import { expect, test } from 'vitest';
import { forgeRequest } from '../../testing/forge-request.ts';
import { say } from '../../testing/say.ts';
import { namespaceOffloadingRule } from './validate-namespace-offloading.ts';

const { signal } = new AbortController();
const rule = namespaceOffloadingRule({ ownClusterID: 'rome' });

const offloading = (spec: object, name = 'offloading') =>
  ({ metadata: { namespace: 'shop', name }, spec }) as KubeObject;
const selected = (remoteNamespaceName?: unknown) =>
  offloading({ namespaceMappingStrategy: 'SelectedName', remoteNamespaceName });

test.each<[string, KubeObject, string]>([
  ['with the only name', offloading({}), 'allowed'],
  ['without a spec', { metadata: { namespace: 'shop', name: 'offloading' } }, 'allowed'],
  [
    'with another name',
    offloading({}, 'mine'),
    'metadata.name: a namespace has one NamespaceOffloading, "offloading"',
  ],
  ['with a selected name', selected('shop-at-milan'), 'allowed'],
  ['with a selected name that is missing', selected(), 'spec.remoteNamespaceName: The strategy'],
  ['with a selected name that is no text', selected(7), 'spec.remoteNamespaceName: The strategy'],
  ['with a selected name that is none', selected('Shop_'), 'not a name of a namespace'],
])('namespaceOffloadingRule judges one %s', async (_, object, expected) => {
  expect(say(await rule.review(forgeRequest(object), signal))).toContain(expected);
});

const strategy = (podOffloadingStrategy: string) => offloading({ podOffloadingStrategy });

test.each([
  ['LocalAndRemote', 'Remote', 'allowed: spec.podOffloadingStrategy: pods that exist stay'],
  ['LocalAndRemote', 'Local', 'allowed: spec.podOffloadingStrategy: pods that exist stay'],
  ['Remote', 'Local', 'allowed: spec.podOffloadingStrategy: pods that exist stay'],
  ['Local', 'LocalAndRemote', 'allowed'],
  ['Remote', 'Remote', 'allowed'],
])('namespaceOffloadingRule answers a change from %s to %s', async (before, after, expected) => {
  const change = { operation: 'UPDATE', oldObject: strategy(before) } as const;
  const said = say(await rule.review(forgeRequest(strategy(after), change), signal));
  expect(expected === 'allowed' ? said : said.slice(0, expected.length)).toBe(expected);
});

test('namespaceOffloadingRule does not warn of a creation', async () => {
  expect(say(await rule.review(forgeRequest(strategy('Local')), signal))).toBe('allowed');
});
