import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { sleep } from '@liqo/kube';
import type { NodeAgent, ProgramContext } from '@liqo/minicluster';
import { startMinicluster } from '@liqo/minicluster';
import { systemClock, systemRandom } from '@liqo/runtime';
import { chooseFreePort, eventually } from '@liqo/testkit';
import { createCertificateAuthority } from '@liqo/testkit/faults';
import { findAssets, startRealCluster } from '@liqo/testkit/real-cluster';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startNode } from '../packages/minicluster/src/node/start-node.ts';
import { startPortForward } from './kubectl/port-forward.ts';
import { type Access, runKubectl } from './kubectl/run-kubectl.ts';
import { largeBody, serveSite } from './kubectl/served-site.ts';

const kubectl = join(findAssets(['kubectl'], process.env), 'kubectl');
const surroundings = { clock: systemClock, random: systemRandom };

/** A real API server passes nothing on to loopback. */
const address = Object.values(networkInterfaces())
  .flat()
  .find((one) => one && !one.internal && one.family === 'IPv4')?.address;

/** Writes a line a moment, and ends. */
async function tick({ stdout, signal }: ProgramContext): Promise<number> {
  for (let i = 1; i <= 40 && !signal.aborted; i++) {
    stdout.write(`line ${i}\n`);
    await sleep(systemClock, 150);
  }
  return 0;
}

const settings = {
  name: 'worker',
  podCidr: '10.244.1.0/24',
  address: address ?? '127.0.0.1',
  images: new Map([
    ['site', serveSite],
    ['ticker', tick],
  ]),
};

const ticker = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'ticker' },
  spec: {
    restartPolicy: 'Never',
    automountServiceAccountToken: false,
    containers: [{ name: 'main', image: 'ticker' }],
  },
};

interface Started extends AsyncDisposable {
  readonly kubeconfig: string;
}

async function startMini(): Promise<Started> {
  const cluster = await startMinicluster(surroundings);
  await cluster.startNode(settings);
  return cluster;
}

/** A node of minicluster's with real Kubernetes around it. */
async function startReal(): Promise<Started> {
  const cluster = await startRealCluster({});
  const { client } = cluster;
  const authority = await createCertificateAuthority('worker');
  const pair = await authority.issueServer('worker', [settings.address]);
  const clientCa = readFileSync(join(cluster.folder, 'pki/ca.crt'), 'utf8');
  const serving = { ...pair, clientCa };
  const node: NodeAgent = await startNode({ ...settings, ...surroundings, client, serving });
  return {
    kubeconfig: cluster.kubeconfig,
    [Symbol.asyncDispose]: async () => {
      await node[Symbol.asyncDispose]();
      await cluster[Symbol.asyncDispose]();
    },
  };
}

describe.each([
  { name: 'a minicluster', start: startMini },
  { name: 'a real API server before a node of ours', start: startReal },
])('kubectl streams, with $name', ({ start }) => {
  let cluster: Started;
  let overWebSocket: Access;
  let overSpdy: Access;
  let port: number;

  beforeAll(async () => {
    cluster = await start();
    overWebSocket = { kubectl, kubeconfig: cluster.kubeconfig };
    const variables = {
      KUBECTL_REMOTE_COMMAND_WEBSOCKETS: 'false',
      KUBECTL_PORT_FORWARD_WEBSOCKETS: 'false',
    };
    overSpdy = { ...overWebSocket, variables };
    port = await chooseFreePort('0.0.0.0');
    await apply(site(port));
    await said(`expose deployment site --port=80 --target-port=${port}`);
    await said('rollout status deployment/site --timeout=60s');
  });
  afterAll(() => cluster?.[Symbol.asyncDispose]());

  async function said(command: string, access = overWebSocket, input = ''): Promise<string> {
    const { code, stdout, stderr } = await runKubectl(access, command, input);
    expect(stderr).toBe('');
    expect(code).toBe(0);
    return stdout;
  }

  const apply = (object: unknown) => said('apply -f -', overWebSocket, JSON.stringify(object));

  describe.each([
    ['WebSocket', () => overWebSocket],
    ['SPDY', () => overSpdy],
  ] as const)('over %s', (_, access) => {
    test('kubectl exec runs a command and tells its exit code', async () => {
      expect(await said('exec deployment/site -- echo hello', access())).toBe('hello\n');
      const { code, stderr } = await runKubectl(access(), 'exec deployment/site -- false');
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: expect.stringContaining('exit code 1'),
      });
    });

    test('kubectl exec hands over what is typed, all of it, and the end of it', async () => {
      const typed = largeBody
        .toString('latin1')
        .replaceAll(/[^a-z]/g, '.')
        .slice(0, 3_000_000);
      const echoed = await said('exec -i deployment/site -- cat', access(), typed);
      expect(echoed === typed).toBe(true);
    });

    test('kubectl exec ends though nobody reads what is typed', async () => {
      const typed = 'x'.repeat(3_000_000);
      const { code } = await runKubectl(access(), 'exec -i deployment/site -- true', typed);
      expect(code).toBe(0);
    });

    test('kubectl exec is told that there is no such program', async () => {
      const { code, stderr } = await runKubectl(access(), 'exec deployment/site -- frobnicate');
      expect(stderr).toContain('exec: "frobnicate": executable file not found in $PATH');
      expect(code).toBe(1);
    });

    test('kubectl exec is told that there is no such container', async () => {
      const { stderr } = await runKubectl(access(), 'exec deployment/site -c other -- true');
      expect(stderr).toContain('container other is not valid for pod site-');
    });

    test('kubectl cp brings a file into a container and back', async () => {
      const pod = await said('get pods -l app=site -o jsonpath={.items[0].metadata.name}');
      const folder = mkdtempSync(join(tmpdir(), 'kubectl-cp-'));
      const [sent, back] = [join(folder, 'sent'), join(folder, 'back')];
      writeFileSync(sent, largeBody);
      await said(`cp ${sent} ${pod}:/tmp/large`, access());
      await runKubectl(access(), `cp ${pod}:/tmp/large ${back}`);
      expect(readFileSync(back).equals(largeBody)).toBe(true);
      rmSync(folder, { recursive: true });
    });

    test('kubectl attach follows a container to its end', async () => {
      await apply(ticker);
      await said('wait --for=condition=Ready pod/ticker --timeout=60s');
      const { stdout, code } = await runKubectl(access(), 'attach ticker');
      expect(stdout).toContain('line 40\n');
      expect(code).toBe(0);
      await said('delete pod ticker --now');
    });

    test.each(['deployment/site', 'service/site'])(
      'kubectl port-forward leads to %s, again and again and with much to carry',
      async (target) => {
        const wanted = target.startsWith('service') ? 80 : port;
        await using forward = await startPortForward(access(), target, wanted);
        const url = `http://127.0.0.1:${forward.port}`;
        const answers = await Promise.all(
          ['/a', '/b', '/c'].map(async (path) => (await fetch(`${url}${path}`)).json()),
        );
        expect(answers).toMatchObject([{ url: '/a' }, { url: '/b' }, { url: '/c' }]);
        const large = Buffer.from(await (await fetch(`${url}/large`)).arrayBuffer());
        expect(large.equals(largeBody)).toBe(true);
        const sent = await fetch(`${url}/put`, { method: 'PUT', body: 'x'.repeat(1_000_000) });
        expect(await sent.json()).toMatchObject({ method: 'PUT', body: 'x'.repeat(1_000_000) });
      },
    );

    test('kubectl port-forward tells of a port where nobody listens', async () => {
      const silent = await chooseFreePort('127.0.0.1');
      await using forward = await startPortForward(access(), 'deployment/site', silent);
      await fetch(`http://127.0.0.1:${forward.port}/`).catch(() => undefined);
      await eventually(() => {
        expect(forward.complaints()).toContain(`error forwarding port ${silent} to pod`);
      });
    });
  });

  const raw = async (path: string) => JSON.parse(await said(`get --raw ${path}`));

  test('kubectl get --raw reaches the kubelet through the proxy of its node', async () => {
    expect(await said('get --raw /api/v1/nodes/worker/proxy/healthz')).toBe('ok');
    const { items } = await raw('/api/v1/nodes/worker/proxy/pods');
    expect(items.length).toBeGreaterThan(0);
    const { stderr } = await runKubectl(overWebSocket, 'get --raw /api/v1/nodes/other/proxy/');
    expect(stderr).toBe('Error from server (NotFound): nodes "other" not found\n');
  });

  test('kubectl get --raw reaches a site through the proxies of its pod and service', async () => {
    const namespaced = '/api/v1/namespaces/default';
    const pod = await said('get pods -l app=site -o jsonpath={.items[0].metadata.name}');
    const query = '/some/path?a=1&b=2';
    for (const target of [`pods/${pod}`, `pods/http:${pod}:${port}`, 'services/site:80']) {
      const path = `${namespaced}/${target}/proxy/some/path`;
      expect(await raw(`${namespaced}/${target}/proxy${query}`)).toMatchObject({
        url: query,
        'x-forwarded-uri': path,
        'x-forwarded-for': expect.stringContaining('127.0.0.1'),
      });
    }
  });

  function site(port: number) {
    const labels = { app: 'site' };
    const containers = [
      { name: 'main', image: 'site', args: [String(port)], ports: [{ containerPort: port }] },
    ];
    // Its address is then that of the machine, which anybody can reach.
    const spec = { hostNetwork: true, automountServiceAccountToken: false, containers };
    const template = { metadata: { labels }, spec };
    return {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'site' },
      spec: { selector: { matchLabels: labels }, template },
    };
  }
});
