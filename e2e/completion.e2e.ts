import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programBundle } from '@liqo/images';
import type { Minicluster } from '@liqo/minicluster';
import { embeddedKubernetes, startWorld, type World } from '@liqo/playground';
import { systemClock, systemRandom } from '@liqo/runtime';
import { eventually } from '@liqo/testkit';
import { findAssets } from '@liqo/testkit/real-cluster';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Desk, learnCompletion, type Shell } from './completion/shell.ts';

/** The completion of liqoctl in the shells themselves, with a cluster to name things of. */
const timeoutMs = 300_000;
const assets = findAssets(['shells/bin/zsh', 'shells/usr/bin/fish'], process.env, ['shells']);
const home = mkdtempSync(join(tmpdir(), 'completion-'));
const kubeconfig = join(home, 'rome.kubeconfig');
const desk: Desk = {
  home,
  shells: join(assets, 'shells'),
  env: { ...process.env, KUBECONFIG: kubeconfig, PATH: `${home}/bin:${process.env.PATH}` },
};

let world: World<Minicluster>;

beforeAll(async () => {
  await buildLiqoctl(join(home, 'bin'));
  world = await startWorld({
    kubernetes: await embeddedKubernetes({ clock: systemClock, random: systemRandom }),
    consumer: 'rome',
    providers: ['milan'],
    virtualNodes: [{ name: 'mynode', provider: 'milan' }],
    offloaded: ['shop'],
  });
  writeFileSync(kubeconfig, world.cluster('rome').kubeconfigText);
}, timeoutMs);

afterAll(async () => {
  await world?.[Symbol.asyncDispose]();
  rmSync(home, { recursive: true, force: true });
});

/** As users have it: one file, which starts at once. */
async function buildLiqoctl(folder: string): Promise<void> {
  await build({
    entryPoints: [join(import.meta.dirname, '../packages/liqoctl/bin/liqoctl.ts')],
    outfile: join(folder, 'liqoctl.mjs'),
    ...programBundle,
  });
  const start = `#!/bin/sh\nexec '${process.execPath}' '${folder}/liqoctl.mjs' "$@"\n`;
  writeFileSync(join(folder, 'liqoctl'), start, { mode: 0o755 });
}

const cases: readonly (readonly [string, readonly string[]])[] = [
  ['liqoctl c', ['completion', 'cordon', 'create']],
  ['liqoctl offl', ['offload']],
  ['liqoctl completion ', ['bash', 'fish', 'zsh']],
  [
    'liqoctl create virtualnode x --re',
    ['--remote-cluster-id', '--resource', '--resource-slice-name'],
  ],
  ['liqoctl get virtualnode -o ', ['json', 'name', 'table', 'wide', 'yaml']],
  ['liqoctl get virtualnode ', ['mynode']],
  ['liqoctl unoffload namespace sh', ['shop']],
  ['liqoctl get virtualnode -n liqo-t', ['liqo-tenant-milan']],
  ['liqoctl info --context ', ['rome']],
];

describe.each(['bash', 'zsh', 'fish'] as const)('the completion of %s', (name) => {
  let shell: Shell;

  beforeAll(async () => {
    shell = await learnCompletion(name, desk);
  }, timeoutMs);

  test.each(cases)(
    'offers after "%s": %j',
    (line, candidates) =>
      // A shell gets an answer within two seconds or none: on a busy machine it takes more than one try.
      eventually(async () => expect(await shell.pressTab(line)).toEqual(candidates), {
        timeoutMs: 30_000,
      }),
    timeoutMs,
  );
});

// That of bash leaves them to readline.
test.each(['zsh', 'fish'] as const)(
  'the completion of %s offers files where liqoctl has nothing to offer',
  async (name) => {
    const shell = await learnCompletion(name, desk);
    expect(await shell.pressTab('liqoctl info --kubeconfig rome')).toEqual(['rome.kubeconfig']);
  },
  timeoutMs,
);
