import { X509Certificate } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Secret } from '@liqo/kube';
import { startWorld, type World } from '@liqo/playground';
import { realKubernetes } from '@liqo/playground/real';
import { systemClock } from '@liqo/runtime';
import { findAssets, type RealCluster } from '@liqo/testkit/real-cluster';
import { load } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Reader } from './docs/reader.ts';
import { kubectl } from './real-nodes/kubectl.ts';

/** The pages that take real clusters with real nodes, typed as they stand there. */
const programs = findAssets(['kubectl', 'helm'], process.env, ['helm']);
const timeoutMs = 900_000;

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'docs-real-'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test(
  'docs/guides/real-clusters.md can be followed to the letter, and Ctrl-C leaves nothing',
  async () => {
    await using reader = new Reader({ folder: newFolder(), programs, timeoutMs: 300_000 });
    await reader.follow('docs/guides/real-clusters.md');
    await reader.finish();
  },
  timeoutMs,
);

describe('docs/guides/own-clusters.md', () => {
  let world: World<RealCluster>;
  let adminKubeconfig: string;

  beforeAll(async () => {
    const kubernetes = realKubernetes({ clock: systemClock });
    world = await startWorld({ kubernetes, consumer: 'rome', providers: ['milan'], bare: true });
  }, timeoutMs);

  afterAll(() => world?.[Symbol.asyncDispose]());

  test(
    'makes a provider a node of two clusters that know nothing of each other',
    async () => {
      const [rome, milan] = [world.cluster('rome'), world.cluster('milan')];
      const own = newFolder();
      mkdirSync(join(own, 'liqo'));
      const admin = { name: 'admin', groups: ['system:masters'] };
      adminKubeconfig = await milan.kubeconfigFor(admin, rome);
      writeFileSync(join(own, 'liqo/rome.kubeconfig'), rome.kubeconfigText);
      writeFileSync(join(own, 'liqo/milan.kubeconfig'), adminKubeconfig);
      await using reader = new Reader({ folder: own, programs, timeoutMs: 300_000 });
      await reader.follow('docs/guides/own-clusters.md');
      await kubectl(rome, 'wait node/mynode --for=condition=Ready --timeout=60s');
    },
    timeoutMs,
  );

  test.each([
    ['kubeconfig-controlplane-milan', 'rome'],
    ['kubeconfig-resourceslice-mypool', 'mypool-rome'],
  ])('gives away no credentials in the Secret %s but those of %s', async (name, user) => {
    const text = await readKubeconfig(world.cluster('rome'), name);
    const admin = load(adminKubeconfig) as KubeconfigFile;
    const [cluster] = admin.clusters;
    const { users, preferences: _, ...rest } = load(text) as KubeconfigFile;
    expect(rest).toEqual({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'milan', cluster: cluster?.cluster }],
      contexts: [{ name: 'milan', context: { cluster: 'milan', user } }],
      'current-context': 'milan',
    });
    expect(users).toEqual([
      { name: user, user: { [certificateKey]: anyText, 'client-key-data': anyText } },
    ]);
    const pem = Buffer.from(users[0]?.user[certificateKey] ?? '', 'base64');
    expect(new X509Certificate(pem).subject).toBe(`O=rome\nCN=${user}`);
    const secrets = admin.users.flatMap(({ user: credentials }) => Object.values(credentials));
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  });
});

const certificateKey = 'client-certificate-data';
const anyText = expect.stringMatching(/./);

interface KubeconfigFile {
  /** Settings of kubectl; older versions write an empty object. */
  readonly preferences?: object;
  readonly clusters: readonly { readonly name: string; readonly cluster: object }[];
  readonly users: readonly {
    readonly name: string;
    readonly user: Readonly<Record<string, string>>;
  }[];
}

async function readKubeconfig({ client }: RealCluster, name: string): Promise<string> {
  const secret = await client.get(Secret, { namespace: 'liqo-tenant-milan', name });
  expect(Object.keys(secret?.data ?? {})).toEqual(['kubeconfig']);
  return Buffer.from(secret?.data?.kubeconfig ?? '', 'base64').toString();
}

function newFolder(): string {
  return mkdtempSync(join(folder, 'reader-'));
}
