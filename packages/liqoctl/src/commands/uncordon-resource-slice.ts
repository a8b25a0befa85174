import { defineSliceCordon } from './define-slice-cordon.ts';

export const uncordonResourceSlice = defineSliceCordon({
  verb: 'uncordon',
  undo: 'cordon',
  value: null,
  summary: 'ends the cordon of a slice',
  description:
    'Lets a slice that a consumer has of this cluster, the provider, have new pods again.',
});
