import { PodTemplate } from '@liqo/kube';
import { nameColumn } from '../../rest/table.ts';
import { defineResource } from '../define-resource.ts';
import { changeIn } from '../fill-in.ts';
import { defaultPodTemplate } from '../pods/pod-defaults.ts';
import { validatePodTemplate } from '../pods/validate-pod.ts';
import { textColumn } from '../printing/columns.ts';
import { containerColumns } from '../printing/container-columns.ts';
import { labelText } from '../printing/label-text.ts';

export const podTemplates = defineResource<PodTemplate>({
  kind: PodTemplate,
  columns: [
    nameColumn,
    ...containerColumns(({ template }: PodTemplate) => template),
    textColumn('Pod Labels', ({ template }: PodTemplate) => labelText(template?.metadata?.labels)),
  ],
  strategy: {
    withDefaults: (object: PodTemplate) => changeIn(object, 'template', defaultPodTemplate),
    validate: ({ template = {} }: PodTemplate) => validatePodTemplate('template', template),
    returnsDeleted: true,
  },
});
