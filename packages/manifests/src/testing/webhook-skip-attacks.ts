import { labels, Tenant } from '@liqo/api';
import { type Client, mergePatch, Namespace, RoleBinding } from '@liqo/kube';
import { eventually } from '@liqo/testkit';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectDenied, type GetStage } from './policy-stage.ts';

const namespace = 'liqo-tenant-oslo';
const policy = 'liqo-webhook-skip';

/** The user that a consumer peers with, who would rather not have its Tenant looked at. */
export function webhookSkipAttacks(stage: GetStage): void {
  let admin: Client;
  let peeringUser: Client;

  const tenant = (name: string, skip?: string): Tenant => ({
    metadata: { namespace, name, ...(skip && { labels: { [labels.webhookSkip]: skip } }) },
    spec: { clusterID: 'oslo', authzPolicy: 'KeysExchange', tenantCondition: 'Active' },
  });
  const marking = (value: string | null) =>
    mergePatch({ metadata: { labels: { [labels.webhookSkip]: value } } });

  beforeAll(async () => {
    ({ admin } = stage());
    const marks = { [labels.remoteClusterID]: 'oslo', [labels.tenantNamespace]: 'true' };
    await admin.create(Namespace, { metadata: { name: namespace, labels: marks } });
    const apiGroup = 'rbac.authorization.k8s.io';
    await admin.create(RoleBinding, {
      metadata: { namespace, name: 'peering-user' },
      roleRef: { apiGroup, kind: 'ClusterRole', name: 'liqo-peering-user-tenant-ns' },
      subjects: [{ apiGroup, kind: 'User', name: 'oslo-peer' }],
    });
    peeringUser = await stage().as({ name: 'oslo-peer', groups: [] });
    await eventually(async () => {
      expect(await peeringUser.list(Tenant, { namespace })).toBeDefined();
    });
  });

  describe('a peering user', () => {
    test('cannot have its Tenant skipped by webhooks', async () => {
      const message = 'only users who may update ValidatingWebhookConfigurations';
      await expectDenied(peeringUser.create(Tenant, tenant('one', 'true')), policy, message);
      const { metadata } = await peeringUser.create(Tenant, tenant('two'));
      await expectDenied(peeringUser.patch(Tenant, metadata, marking('true')), policy, message);
      await peeringUser.patch(Tenant, metadata, marking('false'));
    });

    test('changes a Tenant that an administrator has skipped', async () => {
      const { metadata } = await admin.create(Tenant, tenant('three', 'true'));
      const csr = Buffer.from('request').toString('base64');
      await peeringUser.patch(Tenant, metadata, mergePatch({ spec: { csr } }));
      await peeringUser.patch(Tenant, metadata, marking(null));
      await expectDenied(peeringUser.patch(Tenant, metadata, marking('true')), policy);
    });
  });
}
