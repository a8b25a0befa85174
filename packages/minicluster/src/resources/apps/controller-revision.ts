import { ControllerRevision, isJsonObject, type Stored } from '@liqo/kube';
import { nameColumn } from '../../rest/table.ts';
import { defineResource } from '../define-resource.ts';
import { ageColumn, textColumn } from '../printing/columns.ts';
import { type FieldProblem, required } from '../validation/field-problem.ts';
import { unchanged } from '../validation/immutable.ts';
import { nonNegative } from '../validation/numbers.ts';

export const controllerRevisions = defineResource<ControllerRevision>({
  kind: ControllerRevision,
  columns: [
    nameColumn,
    textColumn('Controller', controllerText),
    textColumn('Revision', ({ revision }: ControllerRevision) => revision),
    ageColumn,
  ],
  strategy: {
    generation: 'none',
    validate: validateRevision,
    validateUpdate: (next: ControllerRevision, previous: Stored<ControllerRevision>) =>
      unchanged('data', next.data, previous.data),
  },
});

/** `daemonset.apps/agent`. */
function controllerText({ metadata }: ControllerRevision): string {
  const owner = metadata?.ownerReferences?.find(({ controller }) => controller);
  if (!owner) return '<none>';
  const [group] = owner.apiVersion.includes('/') ? owner.apiVersion.split('/') : [''];
  const kind = group ? `${owner.kind}.${group}` : owner.kind;
  return `${kind.toLowerCase()}/${owner.name}`;
}

function validateRevision({ revision, data }: ControllerRevision): FieldProblem[] {
  const problems = nonNegative('revision', revision);
  if (data === undefined || data === null) {
    return [...problems, required('data', 'data is mandatory')];
  }
  if (isJsonObject(data)) return problems;
  return [...problems, required('data', 'data must be a valid JSON object')];
}
