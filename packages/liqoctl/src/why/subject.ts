import { ownMember } from '@liqo/kube';
import { closest } from '../closest.ts';
import type { WorkloadKind } from './read-workload.ts';

export type SubjectKind =
  | 'pod'
  | WorkloadKind
  | 'namespace'
  | 'node'
  | 'virtualnode'
  | 'resourceslice'
  | 'advertisement'
  | 'foreigncluster';

/** The object that is asked about. */
export interface Subject {
  readonly kind: SubjectKind;
  readonly name: string;
}

const kinds: Readonly<Record<SubjectKind, readonly string[]>> = {
  pod: ['pods', 'po'],
  deployment: ['deployments', 'deploy'],
  replicaset: ['replicasets'],
  statefulset: ['statefulsets', 'sts'],
  job: ['jobs'],
  namespace: ['namespaces', 'ns'],
  node: ['nodes', 'no'],
  virtualnode: ['virtualnodes', 'vn', 'vnode', 'virno', 'vno'],
  resourceslice: ['resourceslices', 'rs', 'rslice', 'slice'],
  advertisement: ['advertisements', 'adv', 'offer'],
  foreigncluster: ['foreignclusters', 'fc', 'peer', 'cluster'],
};

export const subjectKinds = Object.keys(kinds) as readonly SubjectKind[];

/** Reads `pod/web`; a text is what is wrong with it, as a clause. */
export function parseSubject(word: string): Subject | string {
  const at = word.indexOf('/');
  const [type, name] = [word.slice(0, at).toLowerCase(), word.slice(at + 1)];
  if (at < 1 || name === '' || name.includes('/')) {
    return `"${word}" is not of the form KIND/NAME, such as "pod/web"`;
  }
  const kind = kindOf(type);
  if (kind !== undefined) return { kind, name };
  const likely = closest(type, subjectKinds);
  const words = subjectKinds.join(', ');
  return likely === undefined
    ? `it knows nothing of the kind "${type}", only of ${words}`
    : `it knows nothing of the kind "${type}" (did you mean "${likely}"?)`;
}

function kindOf(type: string): SubjectKind | undefined {
  if (ownMember(kinds, type) !== undefined) return type as SubjectKind;
  return subjectKinds.find((kind) => kinds[kind].includes(type));
}
