import { expect, test } from 'vitest';
import { parseServiceAccountUserName, serviceAccountUser } from './service-account-user.ts';

test('parseServiceAccountUserName() undoes the name of a serviceAccountUser()', () => {
  const account = { namespace: 'shop', name: 'robot.v2' };
  const user = serviceAccountUser(account, 'u1');
  expect(user).toEqual({
    name: 'system:serviceaccount:shop:robot.v2',
    uid: 'u1',
    groups: ['system:serviceaccounts', 'system:serviceaccounts:shop'],
    extra: {},
  });
  expect(parseServiceAccountUserName(user.name)).toEqual(account);
});

test.each([
  'jane',
  'system:serviceaccount:shop',
  'system:serviceaccount:shop:',
  'system:serviceaccount::robot',
  'system:serviceaccount:shop:robot:more',
  'system:serviceaccount:Shop:robot',
])('parseServiceAccountUserName() finds no account in %s', (name) => {
  expect(parseServiceAccountUserName(name)).toBeUndefined();
});
