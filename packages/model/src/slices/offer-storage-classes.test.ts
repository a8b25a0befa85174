import type { StorageClass, Stored } from '@liqo/kube';
import { expect, test } from 'vitest';
import { offerStorageClasses } from './offer-storage-classes.ts';

function storageClass(name: string, isDefault = false): Stored<StorageClass> {
  const annotations = { 'storageclass.kubernetes.io/is-default-class': String(isDefault) };
  return {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: {
      name,
      uid: name,
      resourceVersion: '1',
      creationTimestamp: '2026-01-01T00:00:00Z',
      annotations,
    },
    provisioner: 'example.org/disk',
  };
}

const classes = [storageClass('slow', true), storageClass('fast')];

test.each([
  [
    'all, by name',
    ['*'],
    '',
    [{ storageClassName: 'fast' }, { storageClassName: 'slow', default: true }],
  ],
  [
    'another default',
    ['*'],
    'fast',
    [{ storageClassName: 'fast', default: true }, { storageClassName: 'slow' }],
  ],
  ['those that consumers may use', ['fast'], '', [{ storageClassName: 'fast' }]],
  ['none', [], '', undefined],
])('offerStorageClasses() offers %s', (_, allowed, defaultClass, expected) => {
  const { storageClasses } = offerStorageClasses(classes, { allowed, defaultClass });
  expect(storageClasses).toEqual(expected);
});
