import { expect, test } from 'vitest';
import { asStarted, programName } from './program-name.ts';
import { runHere } from './testing/run-here.ts';

test.each([
  [undefined, 'liqoctl'],
  ['/usr/bin/liqoctl', 'liqoctl'],
  ['/work/kubectl-liqo/liqoctl.mjs', 'liqoctl'],
  ['/usr/local/bin/kubectl-liqo', 'kubectl liqo'],
  ['C:\\tools\\kubectl-liqo.mjs', 'kubectl liqo'],
])('programName() of %s is %s', (path, name) => {
  expect(programName(path)).toBe(name);
});

test('asStarted() changes commands, and nothing else', () => {
  const text = 'Run "liqoctl why pod/web" again; it goes on without liqoctl, see liqoctl.mjs';
  expect(asStarted(text, 'kubectl liqo')).toBe(
    'Run "kubectl liqo why pod/web" again; it goes on without liqoctl, see liqoctl.mjs',
  );
  expect(asStarted(text)).toBe(text);
});

test('a failure and the help name commands as kubectl runs them', async () => {
  const program = 'kubectl liqo';
  const { code, stderr } = await runHere(['frobnicate'], { program });
  expect(code).toBe(2);
  expect(stderr).toBe(
    '✖ Cannot run "kubectl liqo frobnicate": there is no such command\n  "kubectl liqo --help" lists the commands\n',
  );
  const help = await runHere(['why', '--help'], { program });
  expect(help.stdout).toContain('kubectl liqo why KIND/NAME [flags]\n');
  expect(help.stdout).not.toMatch(/\bliqoctl \w/);
});
