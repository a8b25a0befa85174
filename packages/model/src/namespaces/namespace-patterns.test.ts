import { expect, test } from 'vitest';
import { refuseUnlistedName } from './namespace-patterns.ts';

function wanted(remote: string, consumerClusterID = 'rome') {
  return {
    local: 'shop',
    remote,
    consumerClusterID,
    namespaceMapKey: 'liqo-tenant-rome/milan',
    podSecurity: 'baseline' as const,
    liqoNamespace: 'liqo',
  };
}

test.each([
  ['argocd', ['*']],
  ['shop-rome', ['*-<consumer>']],
  ['-rome', ['*-<consumer>']],
  ['rome-shop', ['paris', '<consumer>-*']],
  ['shop', ['shop']],
  ['team-a-shop-rome', ['team-*-<consumer>']],
  ['team-a-rome-b-rome', ['team-*-rome-*-<consumer>']],
])('refuseUnlistedName() allows "%s" by %j', (remote, patterns) => {
  expect(refuseUnlistedName(wanted(remote), patterns)).toBeUndefined();
});

test.each([
  ['argocd', ['*-<consumer>']],
  ['shop-paris', ['*-<consumer>']],
  ['shop-rome-x', ['*-<consumer>']],
  ['shoprome', ['*-<consumer>']],
  ['rome', ['<consumer>-*', '*-<consumer>']],
  ['shop', []],
  ['shops', ['shop']],
  ['aba', ['ab*ba']],
  ['shop.rome', ['shop-*']],
])('refuseUnlistedName() refuses "%s" by %j', (remote, patterns) => {
  expect(refuseUnlistedName(wanted(remote), patterns)).toMatchObject({
    phase: 'CreationLoopBackOff',
    reason: 'NameNotAllowed',
  });
});

test('refuseUnlistedName() says which names the consumer may choose', () => {
  expect(refuseUnlistedName(wanted('argocd'), ['*-<consumer>', 'guests'])?.message).toBe(
    'The provider makes no namespace called "argocd" for this consumer: choose a name like "*-rome" or "guests"',
  );
});
