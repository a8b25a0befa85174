import { expect, test } from 'vitest';
import { suggestCommand } from './suggest-command.ts';

test.each([
  [{}, 'liqoctl info'],
  [{ context: 'rome' }, 'liqoctl info --context rome'],
  [{ kubeconfig: "/a b/it's" }, "liqoctl info --kubeconfig '/a b/it'\\''s'"],
])('suggestCommand() means the cluster of %j', (choice, line) => {
  expect(suggestCommand('info', choice)).toBe(line);
});
