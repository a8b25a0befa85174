import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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

test('checkHost() names the programs that are missing, and their packages', () => {
  const folder = mkdtempSync(join(tmpdir(), 'check-host-'));
  for (const tool of ['nsenter', 'unshare', 'mount', 'hostname']) {
    writeFileSync(join(folder, tool), '', { mode: 0o755 });
  }
  expect(() => checkHost({ ...good, path: folder })).toThrow(
    'nodes: not on the search path: "ip", "tc". Install what has them (Debian: apt-get install iproute2). Clusters',
  );
  rmSync(folder, { recursive: true });
});
