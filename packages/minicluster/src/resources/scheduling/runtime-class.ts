import { RuntimeClass, type Stored } from '@liqo/kube';
import { nameColumn } from '../../rest/table.ts';
import { defineResource } from '../define-resource.ts';
import { changeIn } from '../fill-in.ts';
import { roundAll } from '../pods/container-defaults.ts';
import { validateAmounts } from '../pods/validate-resources.ts';
import { validateTolerations } from '../pods/validate-tolerations.ts';
import { ageColumn, textColumn } from '../printing/columns.ts';
import { type FieldProblem, invalidFor } from '../validation/field-problem.ts';
import { unchanged } from '../validation/immutable.ts';
import { validateLabels } from '../validation/labels.ts';
import { dnsLabelFaults } from '../validation/names.ts';

export const runtimeClasses = defineResource<RuntimeClass>({
  kind: RuntimeClass,
  columns: [nameColumn, textColumn('Handler', ({ handler }: RuntimeClass) => handler), ageColumn],
  strategy: {
    generation: 'none',
    withDefaults: (object: RuntimeClass) =>
      changeIn(object, 'overhead', (overhead) => changeIn(overhead, 'podFixed', roundAll)),
    validate: validateRuntimeClass,
    validateUpdate: (next: RuntimeClass, previous: Stored<RuntimeClass>) =>
      unchanged('handler', next.handler, previous.handler),
    createsOnUpdate: true,
    requiresVersion: true,
  },
});

function validateRuntimeClass({ handler, overhead, scheduling }: RuntimeClass): FieldProblem[] {
  return [
    ...invalidFor('handler', handler, dnsLabelFaults(handler)),
    ...validateAmounts('overhead.limits', overhead?.podFixed ?? {}),
    ...validateLabels('scheduling.nodeSelector', scheduling?.nodeSelector),
    ...validateTolerations('scheduling.tolerations', scheduling?.tolerations ?? []),
  ];
}
