import { type ControllerRevision, deepEqual, type KubeObject, type Stored } from '@liqo/kube';
import type { PodTemplateSpec } from 'kubernetes-types/core/v1.d.ts';
import type { Informer } from './informer.ts';
import { forgeControllerReference, isControlledBy } from './owner-reference.ts';
import { hashTemplate } from './pod-template.ts';

/** An owner of pods that keeps its past templates. */
export type Versioned = KubeObject & {
  readonly spec?: { readonly template: PodTemplateSpec; readonly revisionHistoryLimit?: number };
};

export type Revision = Stored<ControllerRevision>;

/** What a revision stores: a patch that puts its template back in place of any other. */
function dataOf(template: PodTemplateSpec): object {
  return { spec: { template: { ...template, $patch: 'replace' } } };
}

export function templateOf(revision: ControllerRevision): PodTemplateSpec {
  const { spec } = (revision.data ?? {}) as { spec?: { template?: object } };
  const { $patch: _, ...template } = (spec?.template ?? {}) as { $patch?: string };
  return template as PodTemplateSpec;
}

interface RevisionPlan {
  /** The revision of the present template, or what is to be created as such. */
  readonly create?: ControllerRevision;
  readonly existing?: Revision;
  /** The number that the existing one has to get, since it is in force again. */
  readonly renumber?: number;
}

function planRevision(
  owner: Stored<Versioned>,
  revisions: readonly Revision[],
  hashLabel: string,
): RevisionPlan {
  const template = owner.spec?.template ?? {};
  const data = dataOf(template);
  const latest = Math.max(0, ...revisions.map(({ revision }) => revision));
  const existing = revisions.findLast((revision) => deepEqual(revision.data, data));
  if (existing) {
    return existing.revision === latest ? { existing } : { existing, renumber: latest + 1 };
  }
  const hash = hashTemplate(template);
  const { namespace = '', name } = owner.metadata;
  return {
    create: {
      metadata: {
        namespace,
        name: `${name}-${hash}`,
        labels: { ...template.metadata?.labels, [hashLabel]: hash },
        ...(owner.metadata.annotations && { annotations: owner.metadata.annotations }),
        ownerReferences: [forgeControllerReference(owner)],
      },
      data: data as Exclude<ControllerRevision['data'], undefined>,
      revision: latest + 1,
    },
  };
}

/** Those of the owner, oldest first. */
export function revisionsOf(
  owner: Stored<Versioned>,
  informer: Informer<ControllerRevision>,
): readonly Revision[] {
  return informer
    .inNamespace(owner.metadata.namespace)
    .filter((revision) => isControlledBy(revision, owner))
    .toSorted((a, b) => a.revision - b.revision);
}

/** Carries the plan out and gives back the revision that is in force. */
export async function ensureRevision(
  owner: Stored<Versioned>,
  informer: Informer<ControllerRevision>,
  hashLabel: string,
): Promise<Revision> {
  const plan = planRevision(owner, revisionsOf(owner, informer), hashLabel);
  if (plan.create) return informer.create(plan.create);
  if (plan.existing && plan.renumber !== undefined) {
    return informer.update({ ...plan.existing, revision: plan.renumber });
  }
  if (plan.existing) return plan.existing;
  throw new Error(`Cannot find a revision of "${owner.metadata.name}": the plan has none`);
}

/** Removes the oldest revisions that nothing uses, beyond the limit. */
export async function truncateRevisions(
  owner: Stored<Versioned>,
  informer: Informer<ControllerRevision>,
  isUsed: (revision: Revision) => boolean,
): Promise<void> {
  const unused = revisionsOf(owner, informer).filter((revision) => !isUsed(revision));
  const excess = unused.length - (owner.spec?.revisionHistoryLimit ?? 10);
  for (const revision of unused.slice(0, Math.max(0, excess))) await informer.delete(revision);
}
