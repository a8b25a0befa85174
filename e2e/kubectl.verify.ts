import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Minicluster, type ProgramContext, startMinicluster } from '@liqo/minicluster';
import { systemClock, systemRandom } from '@liqo/runtime';
import { findAssets, type RealCluster, startRealCluster } from '@liqo/testkit/real-cluster';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { playScript } from './kubectl/play-script.ts';
import { type Access, runKubectl } from './kubectl/run-kubectl.ts';
import { scripts } from './kubectl/scripts.ts';

const kubectl = join(findAssets(['kubectl'], process.env), 'kubectl');
const surroundings = { clock: systemClock, random: systemRandom };
const differences = readFileSync(
  new URL('../packages/minicluster/DIFFERENCES.md', import.meta.url),
  'utf8',
);

async function talk({ stdout }: ProgramContext): Promise<number> {
  stdout.write('one\ntwo\n');
  return 0;
}

const linesOf = (text: string) => text.trim().split('\n');
const squeezed = (text: string) => linesOf(text).map((line) => line.replaceAll(/ +/g, ' ').trim());

describe('kubectl, with a real cluster and a minicluster', () => {
  let realCluster: RealCluster;
  let minicluster: Minicluster;
  let real: Access;
  let mini: Access;

  beforeAll(async () => {
    // Nobody scales in a minicluster.
    const controllerManagerFlags = { 'horizontal-pod-autoscaler-sync-period': '1h' };
    realCluster = await startRealCluster({ name: 'same', controllerManagerFlags });
    minicluster = await startMinicluster({ ...surroundings, name: 'same' });
    real = { kubectl, kubeconfig: realCluster.kubeconfig };
    mini = { kubectl, kubeconfig: minicluster.kubeconfig };
  });
  afterAll(async () => {
    await minicluster?.[Symbol.asyncDispose]();
    await realCluster?.[Symbol.asyncDispose]();
  });

  test.each(scripts)('kubectl prints the same on both: $name', async (script) => {
    const comparisons = await playScript(real, mini, script);
    const answers = (from: 'real' | 'mini') =>
      comparisons.map((comparison) => `$ kubectl ${comparison.command}\n${comparison[from]}`);
    expect(answers('mini')).toEqual(answers('real'));
  });

  test.each(['api-resources --no-headers -o wide', 'api-versions'])(
    'kubectl %s lists on a minicluster what a real cluster has, and nothing else',
    async (command) => {
      const theirs = new Set(squeezed((await runKubectl(real, command)).stdout));
      const ours = squeezed((await runKubectl(mini, command)).stdout);
      expect(ours.length).toBeGreaterThan(10);
      expect(ours.filter((line) => !theirs.has(line))).toEqual([]);
    },
  );
});

test('DIFFERENCES.md explains every command that is not compared', () => {
  const reasons = scripts.flatMap(({ steps }) =>
    steps.flatMap((step) => (typeof step === 'string' ? [] : (step.differs ?? []))),
  );
  const unexplained = reasons.filter((reason) => !differences.includes(`| ${reason} |`));
  expect(unexplained).toEqual([]);
});

describe('kubectl, with a minicluster that has a node', () => {
  let cluster: Minicluster;
  let access: Access;

  beforeAll(async () => {
    cluster = await startMinicluster(surroundings);
    const images = new Map([['talker', talk]]);
    await cluster.startNode({ name: 'worker', podCidr: '10.244.1.0/24', images });
    access = { kubectl, kubeconfig: cluster.kubeconfig };
    await said('run web --image=web --port=80 -- sleep 1h');
    await said('wait --for=condition=Ready pod/web --timeout=60s');
  });
  afterAll(() => cluster?.[Symbol.asyncDispose]());

  async function said(command: string): Promise<string> {
    const { code, stdout, stderr } = await runKubectl(access, command);
    expect(stderr).toBe('');
    expect(code).toBe(0);
    return stdout;
  }

  test('kubectl get shows the pod running on the node', async () => {
    const columns = 'custom-columns=PHASE:.status.phase,NODE:.spec.nodeName';
    expect(squeezed(await said(`get pod web --no-headers -o ${columns}`))).toEqual([
      'Running worker',
    ]);
  });

  test('kubectl rollout status sees a Deployment through', async () => {
    await said('create deployment site --image=site --replicas=2');
    expect(await said('rollout status deployment/site --timeout=60s')).toContain(
      'deployment "site" successfully rolled out',
    );
  });

  test('kubectl exec runs a command and hands on its exit code', async () => {
    expect(await said('exec web -- echo hello')).toBe('hello\n');
    expect((await runKubectl(access, 'exec web -- false')).code).toBe(1);
  });

  test('kubectl logs -f follows a program until its end', async () => {
    await said('run talker --image=talker --restart=Never');
    await said('wait --for=jsonpath={.status.phase}=Succeeded pod/talker --timeout=60s');
    expect(await said('logs -f talker')).toBe('one\ntwo\n');
    expect(await said('logs talker --tail=1')).toBe('two\n');
  });

  test('kubectl logs refuses a container that is not there', async () => {
    const { stderr } = await runKubectl(access, 'logs web -c other');
    expect(stderr).toContain('container other is not valid for pod web');
  });

  test('kubectl top is told that nobody measures', async () => {
    expect((await runKubectl(access, 'top pods')).stderr).toBe(
      'error: Metrics API not available\n',
    );
  });

  test('kubectl drain empties the node', async () => {
    await said('run loner --image=loner');
    await runKubectl(access, 'drain worker --force --ignore-daemonsets --timeout=60s');
    const onNode = 'get pods -A -o name --field-selector=spec.nodeName=worker';
    expect(await said(onNode)).toBe('');
    await said('uncordon worker');
  });
});
