import { KubeConfig } from '@kubernetes/client-node';
import fc from 'fast-check';
import { dump } from 'js-yaml';
import { expect, test } from 'vitest';
import type { Kubeconfig } from './kubeconfig.ts';
import { parseKubeconfig } from './parse-kubeconfig.ts';
import { printKubeconfig } from './print-kubeconfig.ts';
import { selectContext } from './select-context.ts';

const name = fc.oneof(
  fc.stringMatching(/^[a-z0-9][a-z0-9.@:/_-]{0,20}$/),
  fc.constantFrom(
    'yes',
    'null',
    '0x1f',
    '1e3',
    '~',
    '- a',
    '#x',
    'ü',
    'a: b',
    "it's",
    '2026-01-01',
  ),
);
const base64 = fc
  .uint8Array({ minLength: 1, maxLength: 60 })
  .map((b) => Buffer.from(b).toString('base64'));
const namespace = fc.stringMatching(/^[a-z]([a-z0-9-]{0,10}[a-z0-9])?$/);
const optional = { requiredKeys: [] as [] };

const cluster = fc.record(
  {
    server: fc.webUrl().map((url) => url.replace(/\/+$/, '')),
    'certificate-authority-data': base64,
    'insecure-skip-tls-verify': fc.boolean(),
    'tls-server-name': name,
    'proxy-url': fc.webUrl(),
  },
  { requiredKeys: ['server'] },
);

const user = fc.record(
  {
    token: fc.string({ minLength: 1 }),
    username: name,
    password: fc.string({ minLength: 1 }),
    'client-certificate-data': base64,
    'client-key-data': base64,
    as: name,
  },
  optional,
);

const names = fc.uniqueArray(name, { minLength: 1, maxLength: 4 });

/** Kubeconfigs whose contexts refer to clusters and users that are there. */
const kubeconfig: fc.Arbitrary<Kubeconfig> = fc
  .tuple(names, names, names)
  .chain(([clusters, users, contexts]) => {
    const context = fc.record(
      { cluster: fc.constantFrom(...clusters), user: fc.constantFrom(...users), namespace },
      { requiredKeys: ['cluster', 'user'] },
    );
    return fc.record({
      apiVersion: fc.constant('v1'),
      kind: fc.constant('Config'),
      clusters: entries(clusters, 'cluster', cluster),
      users: entries(users, 'user', user),
      contexts: entries(contexts, 'context', context),
      'current-context': fc.constantFrom(...contexts),
    });
  });

function entries<K extends string, T>(names: string[], key: K, body: fc.Arbitrary<T>) {
  const entry = (of: string) => body.map((value) => ({ name: of, [key]: value }));
  return fc.tuple(...names.map(entry)) as unknown as fc.Arbitrary<
    ({ readonly name: string } & Record<K, T>)[]
  >;
}

const written = fc.constantFrom(
  (config: Kubeconfig) => printKubeconfig(config),
  (config: Kubeconfig) => dump(config, { flowLevel: 2, quoteStyle: 'double' }),
  (config: Kubeconfig) => JSON.stringify(config),
);

test('parseKubeconfig() reads a kubeconfig as it was written, in any style', () => {
  fc.assert(
    fc.property(kubeconfig, written, (config, write) => {
      expect(JSON.parse(JSON.stringify(parseKubeconfig(write(config), 'f')))).toEqual(config);
    }),
  );
});

test('parseKubeconfig() and the official JavaScript client agree on every entry', () => {
  fc.assert(
    fc.property(kubeconfig, written, (config, write) => {
      const text = write(config);
      const theirs = new KubeConfig();
      theirs.loadFromString(text);
      const ours = parseKubeconfig(text, 'f');

      const agreed = ours.contexts.map(({ name: of, context }) => ({ name: of, ...context }));
      expect(theirs.getContexts()).toEqual(agreed);
      expect(theirs.getClusters()).toMatchObject(
        ours.clusters.map(({ name: of, cluster: { server } }) => ({ name: of, server })),
      );
      expect(theirs.getUsers().map(({ name: of, token }) => [of, token])).toEqual(
        ours.users.map(({ name: of, user: { token } }) => [of, token]),
      );
    }),
  );
});

test('selectContext() and the official JavaScript client agree on the current context', () => {
  fc.assert(
    fc.property(kubeconfig, (config) => {
      const theirs = new KubeConfig();
      theirs.loadFromString(printKubeconfig(config));
      const ours = selectContext(config);
      expect(theirs.getCurrentCluster()?.name).toBe(ours.cluster.name);
      expect(theirs.getCurrentUser()?.name).toBe(ours.user.name);
      const context = theirs.getContextObject(theirs.getCurrentContext());
      expect(context?.namespace ?? 'default').toBe(ours.namespace);
    }),
  );
});
