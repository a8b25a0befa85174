import type { ResourceSlice } from '@liqo/api';
import type { StorageClass, Stored } from '@liqo/kube';
import { storageProvisioner } from '../reflection/claim.ts';

type OfferedClass = NonNullable<NonNullable<ResourceSlice['status']>['storageClasses']>[number];

/** Which storage classes of this cluster are lent. */
export interface OfferedStorage {
  /** Those that consumers may use: names, or `*` for all. */
  readonly allowed: readonly string[];
  /** The one for claims that name none; when empty, the default one of this cluster. */
  readonly defaultClass: string;
}

/** The storage classes that a slice offers, by name: none whose storage is at another provider. Nothing is offered that a claim of a consumer would be refused. */
export function offerStorageClasses(
  classes: readonly Stored<StorageClass>[],
  { allowed, defaultClass }: OfferedStorage,
): { readonly storageClasses?: OfferedClass[] } {
  const lent = classes
    .filter(({ provisioner }) => provisioner !== storageProvisioner)
    .filter(({ metadata }) => allowed.includes('*') || allowed.includes(metadata.name))
    .toSorted((one, other) => (one.metadata.name < other.metadata.name ? -1 : 1));
  const isDefault = ({ metadata }: Stored<StorageClass>) =>
    defaultClass === '' ? isClusterDefault(metadata) : metadata.name === defaultClass;
  const storageClasses = lent.map((one) => ({
    storageClassName: one.metadata.name,
    ...(isDefault(one) && { default: true }),
  }));
  return storageClasses.length > 0 ? { storageClasses } : {};
}

function isClusterDefault({ annotations = {} }: Stored<StorageClass>['metadata']): boolean {
  return annotations['storageclass.kubernetes.io/is-default-class'] === 'true';
}
