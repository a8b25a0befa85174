import { expect, test } from 'vitest';
import { creatorLabel } from './creator-label.ts';

test.each([
  ['mypool-a8a4c692b93b', 'mypool-a8a4c692b93b'],
  ['system:serviceaccount:shop:web', 'system-serviceaccount-shop-web'],
  ['alice@example.org', 'alice-example.org'],
])('creatorLabel() writes user %s as Liqo does', (user, label) => {
  expect(creatorLabel(user)).toBe(label);
});

test.each([
  ['that is too long', 'x'.repeat(64)],
  ['that ends in a dash', 'alice@'],
  ['without any letter', '@@@'],
  ['that is empty', ''],
])('creatorLabel() makes a valid label value of a user name %s', (_, user) => {
  expect(creatorLabel(user)).toMatch(/^[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$/);
});

test('creatorLabel() tells long user names apart', () => {
  const long = 'x'.repeat(64);
  expect(creatorLabel(`${long}a`)).not.toBe(creatorLabel(`${long}b`));
});
