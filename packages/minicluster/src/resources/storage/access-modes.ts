import type { KubeObject } from '@liqo/kube';

const shortForms: readonly [string, string][] = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
];

/** `RWO,RWX`, always in the same order. */
export function accessModesText(modes: readonly string[] | undefined): string {
  return shortForms
    .filter(([mode]) => modes?.includes(mode))
    .map(([, short]) => short)
    .join(',');
}

const classAnnotation = 'volume.beta.kubernetes.io/storage-class';

type WithClass = KubeObject & { readonly spec?: { readonly storageClassName?: string } };

/** Of a volume or a claim. The annotation is from before there was a field, and still first. */
export function storageClassOf({ metadata, spec }: WithClass): string {
  return metadata?.annotations?.[classAnnotation] ?? spec?.storageClassName ?? '';
}
