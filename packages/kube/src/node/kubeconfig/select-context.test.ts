import { expect, test } from 'vitest';
import type { Kubeconfig } from './kubeconfig.ts';
import { type ContextChoice, selectContext } from './select-context.ts';

const config: Kubeconfig = {
  clusters: [
    { name: 'eu', cluster: { server: 'https://eu' } },
    { name: 'us', cluster: { server: 'https://us' } },
  ],
  users: [
    { name: 'dev', user: { token: 'd' } },
    { name: 'ops', user: { token: 'o' } },
  ],
  contexts: [
    { name: 'work', context: { cluster: 'eu', user: 'dev', namespace: 'shop' } },
    { name: 'play', context: { cluster: 'us', user: 'ops' } },
    { name: 'guest', context: { cluster: 'us' } },
  ],
  'current-context': 'work',
};

test.each<[string, ContextChoice, [cluster: string, user: string, namespace: string]]>([
  ['takes the current context', {}, ['eu', 'dev', 'shop']],
  ['takes another context', { context: 'play' }, ['us', 'ops', 'default']],
  ['takes another cluster', { cluster: 'us' }, ['us', 'dev', 'shop']],
  ['takes another user', { user: 'ops' }, ['eu', 'ops', 'shop']],
  ['takes another namespace', { namespace: 'lab' }, ['eu', 'dev', 'lab']],
  ['ignores empty choices', { context: '', cluster: '', user: '' }, ['eu', 'dev', 'shop']],
  ['goes without a user', { context: 'guest' }, ['us', '', 'default']],
])('selectContext() %s', (_, choice, expected) => {
  const { cluster, user, namespace } = selectContext(config, choice);
  expect([cluster.name, user.name, namespace]).toEqual(expected);
});

test('selectContext() needs no context when a cluster is chosen', () => {
  const { 'current-context': _, ...rest } = config;
  const { cluster, user, namespace } = selectContext(rest, { cluster: 'us', user: 'ops' });
  expect([cluster.name, user.name, namespace]).toEqual(['us', 'ops', 'default']);
});

test.each<[string, ContextChoice, string]>([
  [
    'context',
    { context: 'x' },
    'there is no context "x"; the contexts are: "work", "play", "guest"',
  ],
  ['cluster', { cluster: 'x' }, 'there is no cluster "x"; the clusters are: "eu", "us"'],
  ['user', { user: 'x' }, 'there is no user "x"; the users are: "dev", "ops"'],
  ['namespace', { namespace: 'a/b' }, '"a/b" is no namespace'],
])('selectContext() lists what there is when the chosen %s is not', (_, choice, message) => {
  expect(() => selectContext(config, choice)).toThrow(message);
});

test('selectContext() does not list hundreds of names', () => {
  const contexts = Array.from({ length: 300 }, (_, n) => ({ name: `c${n}`, context: {} }));
  expect(() => selectContext({ ...config, contexts }, { context: 'x' })).toThrow(
    /"c19", 280 more$/,
  );
});

test('selectContext() points at the context by its name when there is no file', () => {
  const contexts = [{ name: 'work', context: { cluster: 'gone' } }];
  expect(() => selectContext({ ...config, contexts })).toThrow(
    'Cannot use kubeconfig: contexts["work"].context.cluster: there is no cluster "gone"',
  );
});
