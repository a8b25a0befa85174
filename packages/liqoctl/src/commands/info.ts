import { defineCommand, noOperands } from '../command.ts';
import { connectionFlags, namespaceFlag, outputFlag } from '../flags/shared-flags.ts';
import { collectInfo } from '../info/collect-info.ts';
import { renderField } from '../info/render-field.ts';
import { renderInfo } from '../info/render-info.ts';
import { renderJsonDocument, renderYamlDocument } from '../output/render-objects.ts';

export const info = defineCommand({
  path: ['info'],
  summary: 'shows the installation of this cluster, and its peers',
  description:
    'Prints how this cluster is called, whether Liqo is well in it, and the state of every peering.',
  examples: ['liqoctl info', 'liqoctl info -o json', 'liqoctl info --get clusterid'],
  operands: noOperands,
  flags: {
    get: {
      type: 'text',
      short: 'g',
      value: 'FIELD',
      help: 'one field only: clusterid, local.version, health.healthy, …',
    },
    ...outputFlag(['table', 'json', 'yaml'], 'how it is printed'),
    ...namespaceFlag('where Liqo is installed, if not in "liqo"'),
    ...connectionFlags,
  },
  async run({
    flags: { get, output, namespace },
    signal,
    connect,
    print,
    progress,
    suggest,
    around,
  }) {
    const collected = await collectInfo(await connect(), {
      liqoNamespace: namespace ?? 'liqo',
      warn: (text) => progress.warn(text),
      signal,
    });
    if (get !== undefined) {
      const showAll = suggest('info -o yaml');
      return print(renderField(collected, { path: get, output, showAll }));
    }
    if (output === 'json') return print(renderJsonDocument(collected));
    if (output === 'yaml') return print(renderYamlDocument(collected));
    print(renderInfo(collected, around.stdout.columns));
  },
});
