import type { Node } from '@liqo/kube';
import { expect, test } from 'vitest';
import { apiServerUrl } from './api-server-url.ts';

const node = (name: string, ...addresses: readonly (readonly [string, string])[]): Node => ({
  metadata: { name },
  status: { addresses: addresses.map(([type, address]) => ({ type, address })) },
});

test.each([
  ['https://milan.example:6443', 'https://milan.example:6443'],
  ['milan.example:6443', 'https://milan.example:6443'],
  ['http://milan.example', 'http://milan.example'],
])('apiServerUrl() takes what the administrator says: %s', (override, url) => {
  expect(apiServerUrl(override, [[node('a', ['InternalIP', '10.0.0.1'])]])).toBe(url);
});

const a = node('a', ['Hostname', 'a'], ['InternalIP', '10.0.0.1']);
const b = node('b', ['InternalIP', '10.0.0.2'], ['ExternalIP', '192.0.2.2']);

test.each([
  ['the best type of all nodes', [[a, b]], 'https://192.0.2.2:6443'],
  [
    'the same of two equal nodes, in any order',
    [[node('c', ['InternalIP', '10.0.0.3']), a]],
    'https://10.0.0.1:6443',
  ],
  ['the nodes of the first label that any has', [[], [a], [b]], 'https://10.0.0.1:6443'],
  [
    'a name before an address',
    [[node('a', ['ExternalIP', '192.0.2.1'], ['ExternalDNS', 'a.example'])]],
    'https://a.example:6443',
  ],
  [
    'the name of a host if there is nothing else',
    [[node('a', ['Hostname', 'a'])]],
    'https://a:6443',
  ],
  ['an IPv6 address', [[node('a', ['InternalIP', 'fd00::1'])]], 'https://[fd00::1]:6443'],
  ['nothing without nodes', [[], [], []], undefined],
  ['nothing without addresses', [[node('a')], [b]], undefined],
] as const)('apiServerUrl() takes %s', (_, nodes, url) => {
  expect(apiServerUrl('', nodes)).toBe(url);
});
