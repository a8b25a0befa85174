import type { Deployment } from '@liqo/kube';
import { defaultValues, forgeManifests } from '@liqo/manifests';
import { systemClock, systemRandom } from '@liqo/runtime';
import { expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { runLiqo } from './run-liqo.ts';

/** Runs the command where there is no cluster. */
async function run(...args: string[]) {
  const output = { stdout: '', stderr: '' };
  const unreachable = () => Promise.reject(new Error('Cannot reach the cluster: there is none'));
  const code = await runLiqo(args, {
    env: {},
    clock: systemClock,
    random: systemRandom,
    stdout: { write: (text) => (output.stdout += text) },
    stderr: { write: (text) => (output.stderr += text) },
    signal: new AbortController().signal,
    connectHome: unreachable,
    connectPeer: unreachable,
    isProcess: false,
  });
  return { code, ...output };
}

test.each([[[]], [['help']], [['--help']], [['-h']]])(
  'liqo %j lists the commands',
  async (args) => {
    const { code, stdout, stderr } = await run(...args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^liqo <command> \[flags\]\n/);
    for (const command of ['controller-manager', 'virtual-kubelet', 'version']) {
      expect(stdout).toMatch(new RegExp(`^  ${command} +\\w`, 'm'));
    }
  },
);

test.each(['version', '--version'])('liqo %s says the version', async (arg) => {
  expect(await run(arg)).toEqual({ code: 0, stdout: `liqo ${manifest.version}\n`, stderr: '' });
});

test.each(['controller-manager', 'virtual-kubelet'])(
  'liqo %s --help lists its flags, whatever else is said',
  async (command) => {
    const { code, stdout, stderr } = await run(command, '--colour=red', '--help');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`liqo ${command} [flags]`);
    expect(stdout).toMatch(/^ {2}--log-level +debug, info, warn or error \(default info\)$/m);
  },
);

test('liqo refuses a command that it does not have, and lists those it has', async () => {
  const { code, stdout, stderr } = await run('controller');
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain('Cannot run "liqo controller": there is no such command\n');
  expect(stderr).toContain('controller-manager');
});

test.each([
  [[], '"--cluster-id" is missing'],
  [['--cluster-id=rome', '--colour'], 'unknown flag "--colour"'],
  [['--cluster-id=rome', '--log-level=loud'], 'Cannot log at level "loud"'],
  [['--cluster-id=rome', '--pod-security-level=none'], '"--pod-security-level=none" is not'],
  [['--cluster-id=rome', '--health-probe-address=8081'], 'Cannot listen on "8081"'],
])('liqo controller-manager %j is called wrongly: 2', async (args, problem) => {
  const { code, stdout, stderr } = await run('controller-manager', ...args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(problem);
});

test('liqo controller-manager takes the command line that the manifests give it', async () => {
  const objects = forgeManifests({ ...defaultValues, clusterID: 'rome' });
  const { spec } = objects.find(({ kind }) => kind === 'Deployment') as Deployment;
  const [{ command = [], args = [] } = {}] = spec?.template.spec?.containers ?? [];
  expect(command[0]).toBe('/usr/bin/liqo');
  const { stderr } = await run(...command.slice(1), ...args);
  expect(stderr).toBe('Cannot reach the cluster: there is none\n');
});

test('liqo virtual-kubelet refuses a certificate type that nobody issues', async () => {
  const required = ['foreign-cluster-id', 'home-cluster-id', 'nodename', 'tenant-namespace'];
  const names = [...required, 'foreign-kubeconfig-secret-name', 'node-ip'];
  const args = [...names.map((name) => `--${name}=x`), '--certificate-type=paper'];
  const { code, stderr } = await run('virtual-kubelet', ...args);
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr:
      'Cannot run "liqo virtual-kubelet": "--certificate-type=paper" is not kubelet, aws or self-signed\n',
  });
});

test('liqo virtual-kubelet takes the command lines of earlier versions [#2038]', async () => {
  const required = ['foreign-cluster-id', 'home-cluster-id', 'nodename', 'tenant-namespace'];
  const names = [...required, 'foreign-kubeconfig-secret-name', 'node-ip'];
  const kinds = ['service', 'endpointslice', 'ingress', 'configmap', 'secret', 'event'];
  const args = [
    ...names.map((name) => `--${name}=x`),
    ...kinds.flatMap((kind) => [
      `--${kind}-reflection-workers=0`,
      `--${kind}-reflection-type=AllowList`,
    ]),
    '--annotations-not-reflected=cloud.google.com/neg,ingress.kubernetes.io/url-map',
  ];
  const { code, stderr } = await run('virtual-kubelet', ...args);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: 'Cannot reach the cluster: there is none\n',
  });
});

test('liqo fails with 1, and says why, when the cluster cannot be reached', async () => {
  expect(await run('controller-manager', '--cluster-id=rome')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'Cannot reach the cluster: there is none\n',
  });
});
