import type { Cluster } from '../cluster/connect-cluster.ts';
import { defineCommand, type Invocation, noOperands } from '../command.ts';
import type { FlagTable } from '../flags/flag.ts';
import { connectionFlags, namespaceFlag, outputFlag, watchFlag } from '../flags/shared-flags.ts';
import { collectInfo } from '../info/collect-info.ts';
import { renderField } from '../info/render-field.ts';
import { renderInfo } from '../info/render-info.ts';
import { renderJsonDocument, renderYamlDocument } from '../output/render-objects.ts';
import { type Frame, watchFrames } from '../output/watch-frames.ts';

const flags = {
  get: {
    type: 'text',
    short: 'g',
    value: 'FIELD',
    help: 'one field only: clusterid, local.version, health.healthy, …',
  },
  ...outputFlag(['table', 'json', 'yaml'], 'how it is printed'),
  ...namespaceFlag('where Liqo is installed, if not in "liqo"'),
  ...watchFlag,
  ...connectionFlags,
} as const satisfies FlagTable;

type Call = Invocation<typeof flags>;

export const info = defineCommand({
  path: ['info'],
  summary: 'shows the installation of this cluster, and its peers',
  description:
    'Prints how this cluster is called, whether Liqo is well in it, and the state of every peering.',
  examples: ['liqoctl info', 'liqoctl info -o json', 'liqoctl info --get clusterid'],
  operands: noOperands,
  flags,
  async run(call) {
    const { flags: said, connect, print } = call;
    const cluster = await connect();
    if (!said.watch) return print((await see(call, cluster)).text);
    const look = () => see(call, cluster);
    await watchFrames(call, { doing: 'show this cluster', format: said.output, look });
  },
});

async function see(call: Call, cluster: Cluster): Promise<Frame> {
  const { flags: said, progress, signal } = call;
  const collected = await collectInfo(cluster, {
    liqoNamespace: said.namespace ?? 'liqo',
    warn: (text) => progress.warn(text),
    signal,
  });
  return { state: JSON.stringify(collected), text: render(call, collected) };
}

function render(
  { flags: { get, output }, around, suggest }: Call,
  collected: Awaited<ReturnType<typeof collectInfo>>,
): string {
  if (get !== undefined) {
    return renderField(collected, { path: get, output, showAll: suggest('info -o yaml') });
  }
  if (output === 'json') return renderJsonDocument(collected);
  if (output === 'yaml') return renderYamlDocument(collected);
  return renderInfo(collected, around.stdout.columns);
}
