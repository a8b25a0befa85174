import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkHost, thisHost } from './check-host.ts';

const good = { platform: 'linux', userId: 0, path: thisHost().path } as const;

test('checkHost() says what to do on another system', () => {
  expect(() => checkHost({ ...good, platform: 'darwin' })).toThrow(
    /^Cannot start a cluster with nodes: .* this is darwin\. Use a Linux machine/,
  );
});

test('checkHost() says what to do without root', () => {
  expect(() => checkHost({ ...good, userId: 1000 })).toThrow(
    /only root may do, and this is user 1000\. Run the same command with sudo -E\. Clusters without nodes/,
  );
});

test('checkHost() names the program that is missing, and its package', () => {
  const empty = mkdtempSync(join(tmpdir(), 'check-host-'));
  expect(() => checkHost({ ...good, path: empty })).toThrow(
    'the program "ip" is not on the search path. Install it (Debian: apt-get install iproute2)',
  );
  rmSync(empty, { recursive: true });
});
