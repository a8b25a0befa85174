import { isJsonObject, type KubeObject } from '@liqo/kube';
import { changed, malformed, type Verdict } from '../review/verdict.ts';

/** The object with a label. */
export function withLabel(object: KubeObject, key: string, value: string): Verdict {
  const { metadata } = object;
  const labels: unknown = metadata?.labels ?? {};
  if (!isJsonObject(labels)) return malformed('metadata.labels is not a map');
  const labelled = { ...metadata, labels: { ...metadata?.labels, [key]: value } };
  return changed({ ...object, metadata: labelled });
}
