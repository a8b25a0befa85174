import { defineSliceCordon } from './define-slice-cordon.ts';

export const cordonResourceSlice = defineSliceCordon({
  verb: 'cordon',
  undo: 'uncordon',
  value: 'true',
  summary: 'lets a slice of a consumer have no new pods',
  description:
    'Cordons a slice that a consumer has of this cluster, the provider: it gets no new pods. Those it has go on running.',
  warning: (slice, consumer) => `The slice "${slice}" of "${consumer}" will get no new pods here.`,
});
