import type { FieldQuery } from '@liqo/kube';
import type { User } from './user.ts';

/** What somebody wants to do, as authorizers see it. */
export interface Access {
  readonly user: User;
  readonly verb: string;
  /** Undefined for a path that is no resource. */
  readonly resource: ResourceAccess | undefined;
  /** Empty for a resource. */
  readonly path: string;
}

export interface ResourceAccess {
  readonly group: string;
  readonly plural: string;
  /** Empty for the object itself. */
  readonly subresource: string;
  /** Empty for everything of the cluster, or of all namespaces. */
  readonly namespace: string;
  /** Empty for a whole collection, and for a creation. */
  readonly name: string;
  readonly fieldSelector?: FieldQuery;
}

/** Nobody is denied anything: what no authorizer allows is refused. The reason is for the one who asked. */
export interface Verdict {
  readonly allowed: boolean;
  readonly reason: string;
}

export interface Authorizer {
  authorize(access: Access): Verdict;
}

/** Says nothing of the access: somebody else may allow it. */
export const noOpinion: Verdict = { allowed: false, reason: '' };

/** `pods`, `pods/log`: how rules and messages name what is accessed. */
export function combinedResource({ plural, subresource }: ResourceAccess): string {
  return subresource ? `${plural}/${subresource}` : plural;
}
