import { ConfigMap, Namespace } from '@liqo/kube';
import { expect, test } from 'vitest';
import { startTestCluster } from '../test-cluster.ts';

const metadata = { namespace: 'shop', name: 'one' };

test('DeniedCalls records what the authorizer denies, and not what admission refuses', async () => {
  await using cluster = await startTestCluster({ namespaces: ['shop'] });
  const client = cluster.clientWithRightsOf({ name: 'nobody', groups: [] }, 'nobody');
  await expect(client.get(ConfigMap, metadata)).rejects.toThrow('forbidden');
  expect(cluster.denied.denials).toMatchObject([{ namespace: 'shop' }]);
  expect(() => cluster.denied.refuse()).toThrow('User "nobody" cannot get resource "configmaps"');
  const { admin } = cluster;
  await admin.create(Namespace, { metadata: { name: 'going', finalizers: ['test/hold'] } });
  await admin.delete(Namespace, { name: 'going' });
  const tested = cluster.clientWithRightsOf({ name: 'root', groups: ['system:masters'] }, 'root');
  const late = tested.create(ConfigMap, { metadata: { namespace: 'going', name: 'late' } });
  await expect(late).rejects.toThrow('forbidden');
  expect(cluster.denied.denials).toHaveLength(1);
});

test('clientWithRightsOf() counts its calls under the name that is given', async () => {
  await using cluster = await startTestCluster({ namespaces: ['shop'] });
  const user = { name: 'someone', groups: ['system:masters'] };
  await cluster.clientWithRightsOf(user, 'one').get(ConfigMap, metadata);
  await cluster.clientWithRightsOf(user, 'two').get(ConfigMap, metadata);
  expect(cluster.faults.calls.map(({ who }) => who)).toEqual(['one', 'two']);
});
