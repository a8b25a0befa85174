import { labels, type Renew, type Tenant } from '@liqo/api';
import type { Stored } from '@liqo/kube';
import { expect, test } from 'vitest';
import { answerRenew } from './answer-renew.ts';

const head = { uid: '1', resourceVersion: '1', creationTimestamp: '2026-11-18T20:00:00Z' };
const apiVersion = 'authentication.liqo.io/v1beta1';
const namespace = 'liqo-tenant-rome';
const authParams = { apiServer: 'https://milan.example', signedCRT: 'Q1JU' };

const tenant: Stored<Tenant> = {
  apiVersion,
  kind: 'Tenant',
  metadata: { ...head, name: 'rome', namespace },
  spec: { clusterID: 'rome', authzPolicy: 'KeysExchange', tenantCondition: 'Active' },
  status: { authParams },
};
const renew: Stored<Renew> = {
  apiVersion,
  kind: 'Renew',
  metadata: {
    ...head,
    name: 'controlplane-milan',
    namespace,
    labels: { [labels.replicated]: 'true', [labels.replicationOrigin]: 'rome' },
  },
  spec: { consumerClusterID: 'rome', identityType: 'ControlPlane' },
};

test('answerRenew() answers with the credentials of the Tenant, once', () => {
  expect(answerRenew(renew, tenant)).toEqual(authParams);
  expect(answerRenew({ ...renew, status: { authParams } }, tenant)).toBeUndefined();
  const old = { authParams: { ...authParams, signedCRT: 'T0xE' } };
  expect(answerRenew({ ...renew, status: old }, tenant)).toEqual(authParams);
});

test.each([
  ['without a Tenant', renew, undefined],
  ['while the Tenant has no credentials', renew, { ...tenant, status: {} }],
  [
    'of a Tenant in another namespace',
    renew,
    { ...tenant, metadata: { ...tenant.metadata, namespace: 'x' } },
  ],
  [
    'of a Tenant that is drained',
    renew,
    { ...tenant, spec: { ...tenant.spec, tenantCondition: 'Drained' } },
  ],
  [
    'of a Tenant that is being deleted',
    renew,
    { ...tenant, metadata: { ...tenant.metadata, deletionTimestamp: 'now' } },
  ],
  [
    'in the name of another consumer',
    { ...renew, spec: { ...renew.spec, consumerClusterID: 'oslo' } },
    tenant,
  ],
  ['for a slice', { ...renew, spec: { ...renew.spec, identityType: 'ResourceSlice' } }, tenant],
  ['that is no copy', { ...renew, metadata: { ...renew.metadata, labels: {} } }, tenant],
  ['without a spec', { ...renew, spec: {} }, tenant],
] as const)('answerRenew() does not answer a Renew %s', (_, asked, known) => {
  expect(answerRenew(asked as typeof renew, known as typeof tenant | undefined)).toBeUndefined();
});
