import { labels } from '@liqo/api';
import type { KubeObject, Stored } from '@liqo/kube';
import type { ReflectionRoute } from './reflection-route.ts';

type Entries = Readonly<Record<string, string>>;

/** Records of kubectl about the original: it holds the whole object, and means nothing about the copy. */
const annotationsNeverReflected: readonly string[] = [
  'kubectl.kubernetes.io/last-applied-configuration',
];

/** What a kind says of the metadata of its copies. */
export interface MetadataForm {
  /** That every copy has, whatever the original has. */
  readonly labels?: Entries;
  readonly annotations?: Entries | undefined;
  /** Keys that mean nothing about a copy. */
  readonly annotationsNotReflected?: readonly string[];
}

/** Labels and annotations of a copy. It has no finalizers and no owners: those of the original do not exist there. */
export function forgeMetadata(
  { metadata }: Stored<KubeObject>,
  { notReflected, ...route }: ReflectionRoute,
  form: MetadataForm = {},
): { labels: Record<string, string>; annotations?: Record<string, string> } {
  const { annotationsNotReflected = [] } = form;
  const excluded = [
    ...annotationsNeverReflected,
    ...annotationsNotReflected,
    ...notReflected.annotations,
  ];
  const annotations = { ...without(metadata.annotations, excluded), ...form.annotations };
  return {
    labels: {
      ...without(metadata.labels, notReflected.labels),
      ...form.labels,
      ...forgeReflectionLabels(route),
    },
    ...(Object.keys(annotations).length > 0 && { annotations }),
  };
}

/** Whose copy it is, of which consumer at which provider. */
export function forgeReflectionLabels({
  consumerClusterID,
  providerClusterID,
}: Pick<ReflectionRoute, 'consumerClusterID' | 'providerClusterID'>): Record<string, string> {
  return { [labels.origin]: consumerClusterID, [labels.destination]: providerClusterID };
}

function without(entries: Entries = {}, keys: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(entries).filter(([key]) => !keys.includes(key)));
}
