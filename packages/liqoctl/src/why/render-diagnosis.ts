import { oneParagraph } from '../output/one-paragraph.ts';
import type { Link } from './chain.ts';
import type { Diagnosis } from './diagnose.ts';
import type { Subject } from './subject.ts';

/** Adds to a command the flags that choose the cluster of this call. */
type ForSameCluster = (command: string) => string;

/** A line for each link, then the cause and the command that removes it. */
export function renderDiagnosis(
  { chain, cause }: Diagnosis,
  forSameCluster: ForSameCluster,
): string {
  const widest = Math.max(0, ...chain.map(({ link }) => link.length));
  const lines = chain.map(({ link, object, problem }) => {
    const why = problem ? `: ${problem.evidence}` : '';
    return `${problem ? '✖' : '✔'} ${link.padEnd(widest)}  ${oneParagraph(object + why)}`;
  });
  return [...lines, ...conclusion(cause, forSameCluster)].map((line) => `${line}\n`).join('');
}

function conclusion(cause: Link | undefined, forSameCluster: ForSameCluster): readonly string[] {
  if (!cause?.problem) return ['Everything it depends on is in order'];
  const { object, problem } = cause;
  const { at, command } = problem.remedy;
  const where = at === 'provider' ? ' (at the provider)' : '';
  return [
    oneParagraph(`Cause: ${object}: ${problem.evidence} (${problem.reason})`),
    oneParagraph(`Fix${where}: ${at === 'provider' ? command : forSameCluster(command)}`),
  ];
}

/** The same for programs. */
export function documentOf(
  subject: Subject & { readonly namespace?: string | undefined },
  { chain, cause }: Diagnosis,
  forSameCluster: ForSameCluster,
): unknown {
  return {
    object: subject,
    healthy: cause === undefined,
    ...(cause && { cause: describe(cause, forSameCluster) }),
    chain: chain.map((link) => describe(link, forSameCluster)),
  };
}

function describe({ link, object, problem }: Link, forSameCluster: ForSameCluster) {
  if (!problem) return { link, object, holds: true };
  const { reason, evidence, remedy } = problem;
  const { at, command } = remedy;
  const line = at === 'provider' ? command : forSameCluster(command);
  return { link, object, holds: false, reason, evidence, remedy: { at, command: line } };
}
