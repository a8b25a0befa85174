import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const timeoutMs = 60_000;

/** `npm run clusters`, where real Kubernetes cannot be found: it fails if it tries to start a cluster. */
function run(...args: string[]): Promise<{ code: unknown; stdout: string; stderr: string }> {
  const words = ['--import', join(root, 'load-typescript.mjs'), 'e2e/clusters.ts', ...args];
  const env = { ...process.env, KUBEBUILDER_ASSETS: '/nonexistent' };
  return new Promise((resolve) => {
    execFile(process.execPath, words, { cwd: root, env }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

test(
  'npm run clusters -- --help prints the arguments',
  async () => {
    const { code, stdout, stderr } = await run('--help');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^npm run clusters -- \[NODES\] \[flags\]: /);
  },
  timeoutMs,
);

test.each(['foo', '0', '99', '--nodes'])(
  'npm run clusters -- %s ends with 2, and starts nothing',
  async (arg) => {
    const { code, stdout, stderr } = await run(arg);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^Cannot start the clusters: [^\n]+ npm run clusters -- --help\n$/);
    expect(stderr).toContain(`"${arg}"`);
  },
  timeoutMs,
);

test(
  'npm run clusters -- --image ends with 1 for a file that is not there, and starts nothing',
  async () => {
    const { code, stderr } = await run('--image', 'nowhere.tar');
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr:
        'Cannot load the image "nowhere.tar": there is no such file, or you may not read it. Pack the image of this project with "npm run image": dist/liqo-image.tar\n',
    });
  },
  timeoutMs,
);
