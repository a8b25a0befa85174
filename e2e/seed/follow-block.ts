import { Secret } from '@liqo/kube';
import { eventually } from '@liqo/testkit';
import { expect } from 'vitest';
import { runHere } from '../../packages/liqoctl/src/testing/run-here.ts';
import { runKubectl } from '../kubectl/run-kubectl.ts';
import type { SeedBlock } from './read-seed.ts';
import { readTable } from './read-table.ts';
import type { SeedCluster, SeedStage } from './seed-stage.ts';

const patience = { timeoutMs: 90_000, intervalMs: 200 };

/** Follows a block of the page to the letter. The block after a question is its answer. */
export async function followBlock(
  stage: SeedStage,
  block: SeedBlock,
  answer: SeedBlock | undefined,
): Promise<void> {
  const cluster = stage[block.cluster];
  if (block.language === 'text') return;
  if (block.language === 'yaml') return apply(stage, block.text);
  if (answer?.language !== 'text') {
    await run(cluster, block.text);
    return;
  }
  await eventually(async () => {
    expect(readTable(await run(cluster, block.text))).toEqual(readTable(answer.text));
  }, patience);
}

/** As a shell would: no word of the page has spaces or quotes in it. */
export async function run(cluster: SeedCluster, command: string): Promise<string> {
  const [program, ...words] = command.trim().split(/\s+/);
  const { code, stdout, stderr } =
    program === 'liqoctl'
      ? await runHere(words, { env: { KUBECONFIG: cluster.kubeconfig } })
      : await runKubectl(cluster, unambiguous(words.join(' ')));
  if (code !== 0) throw new Error(`"${command}" ended with ${code}: ${stderr}`);
  return stdout;
}

/** From version 1.34 on, Kubernetes has a kind of its own that kubectl takes "resourceslice" for. */
function unambiguous(line: string): string {
  return line.replace(/ resourceslice /, ' resourceslices.authentication.liqo.io ');
}

async function apply(stage: SeedStage, manifest: string): Promise<void> {
  const filled = manifest.includes(placeholder)
    ? manifest.replace(placeholder, await readKubeconfig(stage))
    : manifest;
  const { code, stderr } = await runKubectl(stage.consumer, 'apply -f -', filled);
  if (code !== 0) throw new Error(`Cannot apply ${manifest}: ${stderr}`);
}

/** Left to the reader. */
const placeholder = '<base64-encoded-kubeconfig>';

async function readKubeconfig({ consumer }: SeedStage): Promise<string> {
  const key = { namespace: 'liqo-tenant-cool-firefly', name: 'kubeconfig-resourceslice-mypool' };
  const secret = await consumer.client.get(Secret, key);
  return secret?.data?.kubeconfig ?? '';
}
