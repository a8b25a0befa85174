import { nodeAffinity } from '../embedded/node-affinity.ts';
import { stringList } from '../embedded/string-list.ts';
import { stringMap } from '../embedded/string-map.ts';
import { toleration } from '../embedded/toleration.ts';
import { describe, type Infer, list, object, string } from '../schema.ts';

/** What changes in every pod on its way through one virtual node. */
export const offloadingPatch = object({
  optional: {
    nodeSelector: describe(stringMap, 'Added to the pods at the provider.'),
    tolerations: describe(list(toleration), 'Added to the pods at the provider.'),
    affinity: object({ optional: { nodeAffinity } }),
    runtimeClassName: string({ description: 'Used by the pods at the provider.' }),
    labelsNotReflected: describe(stringList, 'Keys of labels that stay at home.'),
    annotationsNotReflected: describe(stringList, 'Keys of annotations that stay at home.'),
  },
});

export type OffloadingPatch = Infer<typeof offloadingPatch>;
