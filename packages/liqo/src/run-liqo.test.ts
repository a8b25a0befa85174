import type { Deployment } from '@liqo/kube';
import { defaultValues, forgeManifests } from '@liqo/manifests';
import { systemClock, systemRandom } from '@liqo/runtime';
import { expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { runLiqo } from './run-liqo.ts';
import type { HomeCaller, Surroundings } from './surroundings.ts';

/** Where there is no cluster. */
function nowhere(output = { stdout: '', stderr: '' }): Surroundings {
  const unreachable = () => Promise.reject(new Error('Cannot reach the cluster: there is none'));
  return {
    env: {},
    clock: systemClock,
    random: systemRandom,
    stdout: { write: (text) => (output.stdout += text) },
    stderr: { write: (text) => (output.stderr += text) },
    signal: new AbortController().signal,
    connectHome: unreachable,
    connectPeer: unreachable,
    isProcess: false,
  };
}

async function run(...args: string[]) {
  const output = { stdout: '', stderr: '' };
  const code = await runLiqo(args, nowhere(output));
  return { code, ...output };
}

test.each([[[]], [['help']], [['--help']], [['-h']]])(
  'liqo %j lists the commands',
  async (args) => {
    const { code, stdout, stderr } = await run(...args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^liqo <command> \[flags\]\n/);
    for (const command of ['controller-manager', 'virtual-kubelet', 'webhook', 'version']) {
      expect(stdout).toMatch(new RegExp(`^  ${command} +\\w`, 'm'));
    }
  },
);

test.each(['version', '--version'])('liqo %s says the version', async (arg) => {
  expect(await run(arg)).toEqual({ code: 0, stdout: `liqo ${manifest.version}\n`, stderr: '' });
});

test.each(['controller-manager', 'virtual-kubelet', 'webhook'])(
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
  [['--cluster-id=rome', '--metrics-address=all'], 'Cannot listen on "all"'],
])('liqo controller-manager %j is called wrongly: 2', async (args, problem) => {
  const { code, stdout, stderr } = await run('controller-manager', ...args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(problem);
});

test.each(['controller-manager', 'webhook'])(
  'liqo %s takes the command line that the manifests give it',
  async (name) => {
    const objects = forgeManifests({ ...defaultValues, clusterID: 'rome' });
    const { spec } = objects.find(
      ({ kind, metadata }) => kind === 'Deployment' && metadata?.name === `liqo-${name}`,
    ) as Deployment;
    const [{ command = [], args = [] } = {}] = spec?.template.spec?.containers ?? [];
    expect(command).toEqual(['/usr/bin/liqo', name]);
    const { stderr } = await run(...command.slice(1), ...args);
    expect(stderr).toBe('Cannot reach the cluster: there is none\n');
  },
);

/** What every command line of a virtual kubelet has. */
const identity = [
  '--foreign-cluster-id=milan',
  '--home-cluster-id=rome',
  '--nodename=mynode',
  '--tenant-namespace=liqo-tenant-milan',
  '--foreign-kubeconfig-secret-name=kubeconfig-mynode',
  '--node-ip=10.0.0.7',
];

test.each(['local-podcidr', 'remote-podcidr'])(
  'liqo virtual-kubelet refuses a --%s that is no range',
  async (flag) => {
    const args = [`--${flag}=10.0.0.0/16,10.1.0.1`];
    const { code, stderr } = await run('virtual-kubelet', ...identity, ...args);
    expect(code).toBe(2);
    expect(stderr).toBe(
      `Cannot run "liqo virtual-kubelet": "--${flag}=10.1.0.1" is not a range such as 10.244.0.0/16\n`,
    );
  },
);

test('liqo virtual-kubelet refuses a certificate type that nobody issues', async () => {
  const { code, stderr } = await run('virtual-kubelet', ...identity, '--certificate-type=paper');
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr:
      'Cannot run "liqo virtual-kubelet": "--certificate-type=paper" is not kubelet, aws or self-signed\n',
  });
});

test('liqo virtual-kubelet refuses a type of reflection that there is not', async () => {
  const args = ['--secret-reflection-type=CustomLiqo'];
  const { code, stderr } = await run('virtual-kubelet', ...identity, ...args);
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr:
      'Cannot run "liqo virtual-kubelet": "--secret-reflection-type=CustomLiqo" is not AllowList, DenyList or Disabled\n',
  });
});

const reflectors = ['service', 'ingress', 'configmap', 'secret', 'event'];
const reflectorsWithoutType = ['endpointslice', 'serviceaccount', 'persistentvolumeclaim'];

/** All flags of the virtual kubelet of Liqo v1.2, as its templates and its chart write them. */
const liqoFlags = [
  '--home-kubeconfig=/etc/rome.kubeconfig',
  '--liqo-namespace=liqo',
  '--resync-period=10h',
  '--disable-ip-reflection',
  '--local-podcidr=10.0.0.0/16',
  '--local-podcidr=10.1.0.0/16,10.2.0.0/16',
  '--listen-port=10250',
  '--certificate-type=aws',
  '--enable-profiling=false',
  '--pod-reflection-workers=10',
  ...[...reflectors, ...reflectorsWithoutType].map((kind) => `--${kind}-reflection-workers=0`),
  ...reflectors.map((kind) => `--${kind}-reflection-type=AllowList`),
  '--node-lease-duration=40s',
  '--node-ping-interval=10s',
  '--node-ping-timeout=1s',
  '--node-check-network=false',
  '--node-extra-annotations=a=1,b=2',
  '--node-extra-labels=a=1',
  '--labels-not-reflected=a,b',
  '--annotations-not-reflected=cloud.google.com/neg,ingress.kubernetes.io/url-map',
  '--enable-apiserver-support=true',
  '--enable-storage',
  '--virtual-storage-class-name=liqo',
  '--remote-real-storage-class-name=fast',
  '--enable-ingress',
  '--remote-real-ingress-class-name=nginx',
  '--enable-load-balancer',
  '--remote-real-load-balancer-class-name=metal',
  '--metrics-enabled=false',
  '--metrics-address=:5872',
  '--home-api-server-host=',
  '--home-api-server-port=',
  '--create-node=true',
  '--vk-lease-enabled=false',
  '--vk-lease-duration=15s',
  '--vk-lease-renew-interval=10s',
  '--vk-lease-retry-period=5s',
  '--client-qps=100',
  '--client-max-burst=100',
  '--client-timeout=0',
  '--klog.v=2',
  '--klog.logtostderr',
  '--vmodule=pods=4',
];

test('liqo virtual-kubelet accepts every flag of Liqo v1.2 [#2038]', async () => {
  const { code, stderr } = await run('virtual-kubelet', ...identity, ...liqoFlags);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: 'Cannot reach the cluster: there is none\n',
  });
});

test('liqo virtual-kubelet refuses a flag that neither Liqo nor this has, by its name', async () => {
  const args = [...identity, ...liqoFlags, '--node-pings=3'];
  expect(await run('virtual-kubelet', ...args)).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'Cannot run "liqo virtual-kubelet": unknown flag "--node-pings"; "liqo virtual-kubelet --help" lists the flags\n',
  });
});

test('liqo virtual-kubelet connects with the file that --home-kubeconfig names', async () => {
  const callers: HomeCaller[] = [];
  const connectHome = async (caller: HomeCaller) => {
    callers.push(caller);
    throw new Error('Cannot connect: the test needs no more');
  };
  const args = [...identity, '--home-kubeconfig', '/etc/rome.kubeconfig'];
  await runLiqo(['virtual-kubelet', ...args], { ...nowhere(), connectHome });
  expect(callers).toMatchObject([{ kubeconfigPath: '/etc/rome.kubeconfig' }]);
});

test('liqo fails with 1, and says why, when the cluster cannot be reached', async () => {
  expect(await run('controller-manager', '--cluster-id=rome')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'Cannot reach the cluster: there is none\n',
  });
});
