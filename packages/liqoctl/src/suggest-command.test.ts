import { expect, test } from 'vitest';
import { suggestCommand } from './suggest-command.ts';

test.each([
  [{}, 'liqoctl info'],
  [{ context: 'rome' }, 'liqoctl info --context rome'],
  [{ kubeconfig: "/a b/it's" }, "liqoctl info --kubeconfig '/a b/it'\\''s'"],
])('suggestCommand() means the cluster of %j', (choice, line) => {
  expect(suggestCommand('info', choice)).toBe(line);
});

test('suggestCommand() means both clusters', () => {
  const line = suggestCommand('unpeer', { context: 'rome' }, { kubeconfig: '/m', user: 'me' });
  expect(line).toBe('liqoctl unpeer --context rome --remote-kubeconfig /m --remote-user me');
});
