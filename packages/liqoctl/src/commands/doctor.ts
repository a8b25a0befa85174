import { defaultValues } from '@liqo/manifests';
import { defineCommand, noOperands } from '../command.ts';
import {
  type Examined,
  examineCluster,
  examineInstallation,
  type Finding,
} from '../doctor/examine.ts';
import { attempt } from '../explain.ts';
import type { FlagTable } from '../flags/flag.ts';
import { connectionFlags, namespaceFlag, outputFlag } from '../flags/shared-flags.ts';
import { readCluster } from '../install/read-cluster.ts';
import { oneParagraph } from '../output/one-paragraph.ts';
import { renderJsonDocument } from '../output/render-objects.ts';
import { asStarted } from '../program-name.ts';
import { forSameCluster } from '../suggest-command.ts';
import { UserError } from '../user-error.ts';
import { gatherAllFacts } from '../why/gather-facts.ts';

const flags = {
  ...outputFlag(['table', 'json'], 'how it is printed'),
  ...namespaceFlag('where Liqo is installed; "liqo" if it is not given'),
  ...connectionFlags,
} as const satisfies FlagTable;

export const doctor = defineCommand({
  path: ['doctor'],
  summary: 'examines a cluster, before and after Liqo is installed',
  description:
    'Checks the version of the cluster, the rights of the user and the nodes; where Liqo is installed, also its controllers, its\n' +
    'webhooks, and each peer, slice, offer, virtual node and offloaded namespace as liqoctl why does. Ends with 1 if anything is\n' +
    'not in order; a cluster that is ready for Liqo is in order. It changes nothing.',
  examples: ['liqoctl doctor', 'liqoctl doctor -o json'],
  operands: noOperands,
  flags,
  async run({ flags: said, around, connect, print, signal }) {
    const { namespace = defaultValues.namespace, output } = said;
    const { kubeconfig, context, cluster, user } = said;
    const choice = { kubeconfig, context, cluster, user };
    const { client } = await connect();
    const doing = 'examine the cluster';
    const found = await attempt(doing, readCluster(client, namespace, signal));
    const time = { nowMs: around.clock.now(), signal };
    const all =
      found.clusterID === undefined
        ? undefined
        : await attempt(doing, gatherAllFacts(client, time));
    const objects: readonly Examined[] = all?.objects ?? [];
    const findings = [...examineCluster(found), ...(all ? examineInstallation(all, objects) : [])];
    const inSameCluster = (command: string) =>
      asStarted(forSameCluster(command, choice), around.program);
    print(
      output === 'json'
        ? renderJsonDocument(documentOf(findings, inSameCluster))
        : renderFindings(findings, inSameCluster),
    );
    const count = findings.filter(({ problem }) => problem).length;
    if (count === 0) return;
    const message = `${count} of ${findings.length} things are not in order`;
    throw new UserError(message, { hint: 'Run the commands above, from the top' });
  },
});

type ForSameCluster = (command: string) => string;

function renderFindings(findings: readonly Finding[], inSameCluster: ForSameCluster): string {
  const lines = findings.flatMap(({ what, next, problem }) => {
    if (!problem) {
      const follows = next === undefined ? [] : [`  Next: ${oneParagraph(inSameCluster(next))}`];
      return [`✔ ${oneParagraph(what)}`, ...follows];
    }
    const { at, command } = problem.remedy;
    const where = at === 'provider' ? ' (at the provider)' : '';
    const line = at === 'provider' ? command : inSameCluster(command);
    return [
      `✖ ${oneParagraph(`${what}: ${problem.evidence} (${problem.reason})`)}`,
      `  Fix${where}: ${oneParagraph(line)}`,
    ];
  });
  return lines.map((line) => `${line}\n`).join('');
}

function documentOf(findings: readonly Finding[], inSameCluster: ForSameCluster): unknown {
  return {
    healthy: findings.every(({ problem }) => problem === undefined),
    findings: findings.map(({ what, next, problem }) => {
      if (!problem) return { what, holds: true, ...(next && { next: inSameCluster(next) }) };
      const { reason, evidence, remedy } = problem;
      const { at, command } = remedy;
      const line = at === 'provider' ? command : inSameCluster(command);
      return { what, holds: false, reason, evidence, remedy: { at, command: line } };
    }),
  };
}
