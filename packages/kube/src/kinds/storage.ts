import type * as storage from 'kubernetes-types/storage/v1.d.ts';
import { defineKind } from '../kind.ts';

export type StorageClass = storage.StorageClass;
export const StorageClass = defineKind<StorageClass>({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  plural: 'storageclasses',
  scope: 'Cluster',
});
