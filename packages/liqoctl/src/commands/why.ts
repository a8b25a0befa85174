import { checkDnsSubdomain } from '@liqo/kube';
import { defineCommand } from '../command.ts';
import { attempt } from '../explain.ts';
import type { FlagTable } from '../flags/flag.ts';
import { connectionFlags, namespaceFlag, outputFlag } from '../flags/shared-flags.ts';
import { renderJsonDocument } from '../output/render-objects.ts';
import { asStarted } from '../program-name.ts';
import { forSameCluster } from '../suggest-command.ts';
import { UserError } from '../user-error.ts';
import { diagnose } from '../why/diagnose.ts';
import { gatherFacts } from '../why/gather-facts.ts';
import { documentOf, renderDiagnosis } from '../why/render-diagnosis.ts';
import { parseSubject, type Subject, type SubjectKind, subjectKinds } from '../why/subject.ts';

const flags = {
  ...outputFlag(['table', 'json'], 'how it is printed'),
  ...namespaceFlag('where it is; of pods and workloads: "default" if it is not given'),
  ...connectionFlags,
} as const satisfies FlagTable;

export const why = defineCommand({
  path: ['why'],
  summary: 'says why something does not run, and what to do about it',
  description:
    'Walks from a workload or a pod to its namespace, the webhook, node, virtual node, slice or offer, quota, identity and peer,\n' +
    'down to the API server of the provider, and names the first fact that is broken by itself, with its evidence and the command that repairs it. The\n' +
    `kinds are ${subjectKinds.join(', ')}. It changes nothing.`,
  examples: ['liqoctl why pod/web -n shop', 'liqoctl why node/mypool -o json'],
  operands: { placeholder: 'KIND/NAME', least: 1, most: 1, completes: kindsWithSlash() },
  flags,
  check: ({ operands: [word = ''] }) => {
    const subject = parseSubject(word);
    if (typeof subject === 'string') return [subject];
    return checkDnsSubdomain(subject.name).map((fault) => `the name "${subject.name}" ${fault}`);
  },
  async run({ operands: [word = ''], flags: said, around, connect, print, signal, suggest }) {
    const subject = parseSubject(word) as Subject;
    const { namespace, output, kubeconfig, context, cluster, user } = said;
    const wanted = { ...subject, namespace };
    const { client } = await connect();
    const time = { nowMs: around.clock.now(), signal };
    const facts = await attempt(`explain ${word}`, gatherFacts(client, wanted, time));
    if (!facts) throw unknown(wanted, suggest);
    const diagnosis = diagnose(facts);
    const choice = { kubeconfig, context, cluster, user };
    const inSameCluster = (command: string) =>
      asStarted(forSameCluster(command, choice), around.program);
    if (output === 'json') {
      return print(renderJsonDocument(documentOf(wanted, diagnosis, inSameCluster)));
    }
    print(renderDiagnosis(diagnosis, inSameCluster));
  },
});

function kindsWithSlash(): readonly string[] {
  return subjectKinds.map((kind) => `${kind}/`);
}

type Wanted = Subject & { readonly namespace: string | undefined };

function unknown({ kind, name, namespace }: Wanted, suggest: (command: string) => string) {
  const place = namespace ?? (isOfUsers(kind) ? 'default' : undefined);
  const where = place === undefined || kind === 'namespace' ? '' : ` in the namespace "${place}"`;
  const noun = kind === 'node' ? 'virtual node' : kind;
  const message = `Cannot explain ${kind}/${name}: there is no ${noun} of that name${where}`;
  const hint = isOfUsers(kind)
    ? 'Name its namespace with -n'
    : `See what there is: ${suggest('info')}`;
  return new UserError(message, { hint });
}

/** What users make, in namespaces of their own. */
function isOfUsers(kind: SubjectKind): boolean {
  return ['pod', 'deployment', 'replicaset', 'statefulset', 'job'].includes(kind);
}
