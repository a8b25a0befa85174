import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Secret } from '@liqo/kube';
import { connectKubeconfig, parseKubeconfig } from '@liqo/kube/node';
import { systemClock, systemRandom } from '@liqo/runtime';
import { findAssets } from '@liqo/testkit/real-cluster';
import { load } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Reader } from './docs/reader.ts';

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
  let own = '';
  let reader: Reader;
  const readFolder = (file: string) => readFileSync(join(own, 'liqo', file), 'utf8');

  beforeAll(() => {
    own = newFolder();
    reader = new Reader({ folder: own, programs, timeoutMs: 300_000 });
  });

  afterAll(() => reader[Symbol.asyncDispose](), timeoutMs);

  test(
    'can be followed on the clusters of npm run clusters, to a provider that is a node of the consumer',
    async () => {
      await reader.follow('docs/guides/own-clusters.md');
      await reader.type('rome wait node/mynode --for=condition=Ready --timeout=60s');
    },
    timeoutMs,
  );

  test.each([
    ['kubeconfig-controlplane-milan', 'rome'],
    ['kubeconfig-resourceslice-mypool', 'mypool-rome'],
  ])('gives away no credentials in the Secret %s but those of %s', async (name, user) => {
    const text = await readSecret(readFolder('rome.kubeconfig'), name);
    const admin = load(readFolder('milan.kubeconfig')) as KubeconfigFile;
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

async function readSecret(kubeconfig: string, name: string): Promise<string> {
  const options = { clock: systemClock, random: systemRandom };
  await using client = await connectKubeconfig(parseKubeconfig(kubeconfig, 'rome'), options);
  const secret = await client.get(Secret, { namespace: 'liqo-tenant-milan', name });
  expect(Object.keys(secret?.data ?? {})).toEqual(['kubeconfig']);
  return Buffer.from(secret?.data?.kubeconfig ?? '', 'base64').toString();
}

function newFolder(): string {
  return mkdtempSync(join(folder, 'reader-'));
}
