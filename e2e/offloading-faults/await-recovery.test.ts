import { expect, test } from 'vitest';
import { awaitRecovery } from './await-recovery.ts';

test('awaitRecovery() reports the time and the last problem of a recovery within the limit', async () => {
  const reasons = ['the node is not ready'];
  const { tookMs, lastReason } = await awaitRecovery(async () => reasons.pop(), 60_000);
  expect(tookMs).toBeLessThan(60_000);
  expect(lastReason).toBe('the node is not ready');
});

test('awaitRecovery() fails at the limit, whatever the load of the machine', async () => {
  const recovery = awaitRecovery(async () => 'the node is not ready', 300);
  await expect(recovery).rejects.toThrow('the node is not ready');
});

test('awaitRecovery() fails at the limit when a check never answers', async () => {
  const recovery = awaitRecovery(() => new Promise(() => undefined), 300);
  await expect(recovery).rejects.toThrow('Still failing after');
});
