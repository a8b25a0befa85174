import { expect, test } from 'vitest';
import { controlPlaneSubject, quotaName, sliceSubject } from './subjects.ts';

test('controlPlaneSubject() is the user of the cluster ID in the group of control planes', () => {
  expect(controlPlaneSubject('rome')).toEqual({ commonName: 'rome', organization: 'liqo.io' });
});

test('sliceSubject() is a user of the slice in the group of the consumer', () => {
  const commonName = 'milan-a8a4c692b93b';
  expect(sliceSubject('milan', 'rome')).toEqual({ commonName, organization: 'rome' });
});

test('quotaName() is the user of the slice, as Liqo v1.2 records it', () => {
  expect(quotaName('mypool', 'rome')).toBe('mypool-a8a4c692b93b');
});
