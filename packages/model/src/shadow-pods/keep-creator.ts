import { labels } from '@liqo/api';
import type { Pod, Stored } from '@liqo/kube';
import type { WantedMetadata } from '../applied-metadata.ts';

/** A pod stays charged to the quota that it was created under: its label `liqo.io/creator-user` does not change. */
export function keepCreator(wanted: WantedMetadata, { metadata }: Stored<Pod>): WantedMetadata {
  const { [labels.creatorUser]: _, ...others } = wanted.labels;
  const creator = metadata.labels?.[labels.creatorUser];
  return {
    ...wanted,
    labels: { ...others, ...(creator !== undefined && { [labels.creatorUser]: creator }) },
  };
}
