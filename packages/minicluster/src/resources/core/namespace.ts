import { Namespace, type Stored } from '@liqo/kube';
import { nameColumn } from '../../rest/table.ts';
import { defineResource, partOf } from '../define-resource.ts';
import { changeIn, fillIn } from '../fill-in.ts';
import { ageColumn, textColumn } from '../printing/columns.ts';
import { type FieldProblem, invalid, invalidFor } from '../validation/field-problem.ts';
import { allowingPrefix, dnsLabelFaults, qualifiedNameFaults } from '../validation/names.ts';

const nameLabel = 'kubernetes.io/metadata.name';
const finalizer = 'kubernetes';

export const namespaces = defineResource<Namespace>({
  kind: Namespace,
  shortNames: ['ns'],
  verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
  selectableFields: { 'status.phase': ({ status }) => status?.phase ?? '' },
  subresources: { finalize: partOf(Namespace, ['update']), status: partOf(Namespace) },
  columns: [
    nameColumn,
    textColumn('Status', ({ status }: Namespace) => status?.phase ?? ''),
    ageColumn,
  ],
  freshStatus: { phase: 'Active' },
  strategy: {
    generation: 'none',
    withDefaults,
    onCreate: withFinalizer,
    onUpdate: keepFinalizers,
    validate: validateNamespace,
    validateStatusUpdate,
    validateName: allowingPrefix(dnsLabelFaults),
    returnsDeleted: true,
    isHeld: ({ spec }: Namespace) => (spec?.finalizers ?? []).length > 0,
    onDelete: terminating,
  },
});

/** Selectors find a namespace by its name, too: the label is always there. */
function withDefaults(namespace: Namespace): Namespace {
  const complete = changeIn(namespace, 'status', (status) => fillIn(status, { phase: 'Active' }));
  const name = complete.metadata?.name;
  if (!name) return complete;
  const labels = { ...complete.metadata?.labels, [nameLabel]: name };
  return { ...complete, metadata: { ...complete.metadata, labels } };
}

/** A namespace has no grace period: it takes as long as what is in it. */
function terminating(namespace: Namespace): Namespace {
  const { deletionGracePeriodSeconds: _, ...metadata } = namespace.metadata ?? {};
  return { ...namespace, metadata, status: { ...namespace.status, phase: 'Terminating' } };
}

/** Holds the namespace until everything in it is gone. */
function withFinalizer(namespace: Namespace): Namespace {
  const finalizers = namespace.spec?.finalizers ?? [];
  if (finalizers.includes(finalizer)) return namespace;
  return { ...namespace, spec: { ...namespace.spec, finalizers: [...finalizers, finalizer] } };
}

/** They are changed by the `finalize` subresource. */
function keepFinalizers(next: Namespace, previous: Stored<Namespace>): Namespace {
  const { finalizers: _, ...spec } = next.spec ?? {};
  const finalizers = previous.spec?.finalizers;
  return { ...next, spec: { ...spec, ...(finalizers && { finalizers }) } };
}

function validateNamespace({ spec }: Namespace): FieldProblem[] {
  return validateFinalizers('spec.finalizers', spec?.finalizers ?? []);
}

const standardFinalizers: readonly string[] = [finalizer, 'orphan', 'foregroundDeletion'];

function validateFinalizers(field: string, finalizers: readonly string[]): FieldProblem[] {
  return finalizers.flatMap((name) => {
    const isStandard = name.includes('/') || standardFinalizers.includes(name);
    const rule = 'name is neither a standard finalizer name nor is it fully qualified';
    return [
      ...invalidFor(field, name, qualifiedNameFaults(name)),
      ...(isStandard ? [] : [invalid(field, name, rule)]),
    ];
  });
}

function validateStatusUpdate({ metadata, status }: Namespace): FieldProblem[] {
  const isDeleted = metadata?.deletionTimestamp !== undefined;
  const wanted = isDeleted ? 'Terminating' : 'Active';
  if (status?.phase === wanted) return [];
  const rule = `may only be '${wanted}' if \`deletionTimestamp\` is ${isDeleted ? 'not empty' : 'empty'}`;
  return [invalid('status.Phase', status?.phase ?? '', rule)];
}
