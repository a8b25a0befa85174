import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ExecConfig, KubeconfigCluster } from './kubeconfig.ts';
import { untrusted } from './kubeconfig-trust.ts';
import type { ResolveConnectionOptions } from './resolve-connection.ts';
import { clientOne, clientTwo, server } from './testing/certificates.ts';
import { base64, connectAs } from './testing/connect.ts';
import { FakeClock } from './testing/fake-clock.ts';
import { makeTempFolder, type TempFolder } from './testing/temp-folder.ts';

let folder: TempFolder;
let clock: FakeClock;

beforeEach(async () => {
  folder = await makeTempFolder();
  clock = new FakeClock('2026-01-01T00:00:00Z');
});

afterEach(() => folder[Symbol.asyncDispose]());

/** A real plugin: a script for Node that may use `fs`, `info`, `print(status)` and the file `runs`. */
function plugin(script: string, exec: Partial<ExecConfig> = {}): ExecConfig {
  const prelude = `
    const fs = require('node:fs');
    const runs = ${JSON.stringify(`${folder.path}/runs`)};
    fs.appendFileSync(runs, '.');
    const run = fs.readFileSync(runs, 'utf8').length;
    const info = JSON.parse(process.env.KUBERNETES_EXEC_INFO);
    const print = (status) => process.stdout.write(JSON.stringify({ ...info, status }));
  `;
  return {
    apiVersion: 'client.authentication.k8s.io/v1',
    command: process.execPath,
    args: ['-e', prelude + script],
    interactiveMode: 'Never',
    ...exec,
  };
}

async function runs(): Promise<number> {
  return (await readFile(`${folder.path}/runs`, 'utf8').catch(() => '')).length;
}

function connect(
  exec: ExecConfig,
  options: Partial<ResolveConnectionOptions> = {},
  cluster?: KubeconfigCluster,
) {
  return connectAs({ exec }, { clock, ...options }, cluster);
}

/** The headers of a request made now. */
async function headersOf(exec: ExecConfig, options: Partial<ResolveConnectionOptions> = {}) {
  return (await (await connect(exec, options)).credentials()).headers;
}

test.each(['v1', 'v1beta1'])('an exec plugin hands out a token by version %s', async (version) => {
  const apiVersion = `client.authentication.k8s.io/${version}`;
  const exec = plugin("print({ token: 'from ' + info.apiVersion })", { apiVersion });
  expect(await headersOf(exec)).toEqual({ authorization: `Bearer from ${apiVersion}` });
});

test('an exec plugin is not run before the first request', async () => {
  const connection = await connect(plugin("print({ token: 't' })"));
  expect(await runs()).toBe(0);
  await connection.credentials();
  expect(await runs()).toBe(1);
});

test('an exec plugin is not run when there is a token', async () => {
  const connection = await connectAs({ token: 't', exec: plugin("print({ token: 'x' })") });
  expect((await connection.credentials()).headers).toEqual({ authorization: 'Bearer t' });
  expect(await runs()).toBe(0);
});

test('an exec plugin is run once for all that wait', async () => {
  const connection = await connect(plugin("print({ token: 't' + run })"));
  const all = await Promise.all([1, 2, 3, 4].map(() => connection.credentials()));
  expect(new Set(all).size).toBe(1);
  expect(await runs()).toBe(1);
});

test('an exec plugin is run again when its credentials expire', async () => {
  const connection = await connect(
    plugin("print({ token: 't' + run, expirationTimestamp: '2026-01-01T01:00:00Z' })"),
  );
  expect((await connection.credentials()).headers).toEqual({ authorization: 'Bearer t1' });
  clock.advance(3_599_999);
  expect((await connection.credentials()).headers).toEqual({ authorization: 'Bearer t1' });
  clock.advance(1);
  expect((await connection.credentials()).headers).toEqual({ authorization: 'Bearer t2' });
});

test('an exec plugin is run again, once, when the server refuses its credentials', async () => {
  const connection = await connect(plugin("print({ token: 't' + run })"));
  const refused = await connection.credentials();
  const worthRepeating = await Promise.all([1, 2, 3].map(() => connection.onUnauthorized(refused)));
  expect(worthRepeating).toEqual([true, true, true]);
  expect((await connection.credentials()).headers).toEqual({ authorization: 'Bearer t2' });
  expect(await runs()).toBe(2);
});

test('an exec plugin is not run for a refusal of credentials that were replaced since', async () => {
  const connection = await connect(plugin("print({ token: 't' + run })"));
  const refused = await connection.credentials();
  await connection.onUnauthorized(refused);
  clock.advance(10_000);
  expect(await connection.onUnauthorized(refused)).toBe(true);
  expect(await runs()).toBe(2);
});

test('an exec plugin is not run all the time for a server that always refuses', async () => {
  const connection = await connect(plugin("print({ token: 't' + run })"));
  const refuse = async () => connection.onUnauthorized(await connection.credentials());
  expect(await refuse()).toBe(true);
  expect(await refuse()).toBe(false);
  clock.advance(10_000);
  expect(await refuse()).toBe(true);
  expect(await runs()).toBe(3);
});

test('an exec plugin that gives the same again gives no reason to repeat a request', async () => {
  const connection = await connect(plugin("print({ token: 'same' })"));
  expect(await connection.onUnauthorized(await connection.credentials())).toBe(false);
  expect(await runs()).toBe(2);
});

test('an exec plugin hands out a certificate, and connections change only with it', async () => {
  const pairs = JSON.stringify([clientOne, clientOne, clientTwo]);
  const connection = await connect(
    plugin(`const { cert, key } = ${pairs}[run - 1];
      print({ token: 't' + run, clientCertificateData: cert, clientKeyData: key,
        expirationTimestamp: '2025-01-01T00:00:00Z' })`),
  );
  const generations: number[] = [];
  for (const token of ['t1', 't2', 't3']) {
    const { headers, tlsGeneration } = await connection.credentials();
    expect(headers).toEqual({ authorization: `Bearer ${token}` });
    generations.push(tlsGeneration);
  }
  const [first = 0] = generations;
  expect(generations).toEqual([first, first, first + 1]);
});

test('an exec plugin gets its arguments and its environment', async () => {
  const exec = plugin('print({ token: [process.argv[1], process.env.A, process.env.B].join() })', {
    env: [{ name: 'B', value: 'own' }],
  });
  const env = { A: 'inherited', B: 'inherited' };
  const args = [...(exec.args ?? []), 'argument'];
  expect(await headersOf({ ...exec, args }, { env })).toEqual({
    authorization: 'Bearer argument,inherited,own',
  });
});

test('an exec plugin learns about the cluster when it wants to', async () => {
  const exec = plugin(
    "fs.writeFileSync(runs + '.info', JSON.stringify(info)); print({ token: 't' })",
  );
  const authority = await folder.write('ca.crt', server.cert);
  const cluster = {
    server: 'https://kubernetes.test',
    'certificate-authority': authority,
    'tls-server-name': 'other.test',
    extensions: [{ name: 'client.authentication.k8s.io/exec', extension: { audience: 'a' } }],
  };
  const told = async (config: ExecConfig) => {
    await (await connect(config, {}, cluster)).credentials();
    return JSON.parse(await readFile(`${folder.path}/runs.info`, 'utf8'));
  };
  expect(await told(exec)).toEqual({
    apiVersion: 'client.authentication.k8s.io/v1',
    kind: 'ExecCredential',
    spec: { interactive: false },
  });
  expect((await told({ ...exec, provideClusterInfo: true })).spec.cluster).toEqual({
    server: 'https://kubernetes.test',
    'tls-server-name': 'other.test',
    'certificate-authority-data': base64(server.cert),
    config: { audience: 'a' },
  });
});

test('an exec plugin that needs a person is not run without a terminal', async () => {
  const exec = plugin("print({ token: 't' })", { interactiveMode: 'Always' });
  await expect(headersOf(exec)).rejects.toThrow('must be run from a terminal');
  expect(await runs()).toBe(0);
});

test.each([
  ['Never', true, false],
  ['IfAvailable', true, true],
  ['IfAvailable', false, false],
  ['Always', true, true],
])(
  'an exec plugin of mode %s with a terminal (%s) is told interactive: %s',
  async (interactiveMode, hasTerminal, expected) => {
    const exec = plugin("print({ token: 'interactive ' + info.spec.interactive })", {
      interactiveMode,
    });
    const headers = await headersOf(exec, { hasTerminal });
    expect(headers).toEqual({ authorization: `Bearer interactive ${expected}` });
  },
);

test('an exec plugin can be forbidden, and is not run then', async () => {
  const exec = plugin("print({ token: 't' })");
  await expect(connect(exec, { trust: untrusted })).rejects.toThrow(
    'users["dev"].user.exec: is a program to be run, and this kubeconfig is not trusted',
  );
  expect(await runs()).toBe(0);
});

test('an exec plugin that is not installed comes with the hint how to', async () => {
  const exec = plugin('', { command: 'no-such-login', installHint: 'Run: \u001b[1mget login' });
  await expect(headersOf(exec)).rejects.toThrow(
    'Cannot get credentials for user "dev" from exec plugin "no-such-login": ' +
      'there is no such program; Run: get login',
  );
});

test('an exec plugin that may not be executed says so', async () => {
  const command = await folder.write('login', 'no program');
  await expect(headersOf(plugin('', { command }))).rejects.toThrow('permission denied');
});

test('an exec plugin that fails is quoted from the end of what it said', async () => {
  const exec = plugin(`
    process.stdout.write('hunter2');
    process.stderr.write('x'.repeat(5000) + ' session \u001b[31mexpired\u001b[0m');
    process.exitCode = 3;`);
  const error = await headersOf(exec).catch((reason: unknown) => reason);
  const { message } = error as Error;
  expect(message).toMatch(/it exited with code 3, saying: x+ session expired$/);
  expect(message.length).toBeLessThan(1300);
  expect(message).not.toContain('hunter2');
});

test('an exec plugin that failed is run again for the next request', async () => {
  const connection = await connect(plugin("if (run === 1) process.exit(1); print({ token: 't' })"));
  await expect(connection.credentials()).rejects.toThrow('exited with code 1');
  expect((await connection.credentials()).headers).toEqual({ authorization: 'Bearer t' });
});

test('an exec plugin that is killed says by what', async () => {
  const exec = plugin("process.kill(process.pid, 'SIGTERM'); setTimeout(() => {}, 20_000)");
  await expect(headersOf(exec)).rejects.toThrow('it was ended by SIGTERM');
});

test('an exec plugin that prints without end is stopped', async () => {
  const exec = plugin("setInterval(() => process.stdout.write('hunter2'.repeat(20000)), 0)");
  await expect(headersOf(exec)).rejects.toThrow('it printed far too much');
});

test('an exec plugin may talk to the person while it runs', async () => {
  const said: string[] = [];
  const exec = plugin("process.stderr.write('open the browser'); print({ token: 't' })");
  await headersOf(exec, { onPluginMessage: (text) => said.push(text) });
  expect(said.join('')).toBe('open the browser');
});

/** A plugin that says its process id and then hangs (for a while: it must not outlive a failed test for long). */
function hanging(onReady: () => void) {
  const hung = { pid: 0 };
  const exec = plugin('process.stderr.write(String(process.pid)); setTimeout(() => {}, 20_000)');
  const onPluginMessage = (text: string) => {
    hung.pid = Number(text);
    onReady();
  };
  return { exec, hung, options: { onPluginMessage } };
}

async function expectGone(pid: number): Promise<void> {
  expect(pid).toBeGreaterThan(0);
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'));
}

test('an exec plugin that hangs is killed at its deadline', async () => {
  const { exec, hung, options } = hanging(() => clock.advance(60_000));
  await expect(headersOf(exec, options)).rejects.toThrow('it took longer than 60000 ms');
  await expectGone(hung.pid);
});

test('an exec plugin is killed when nobody waits for it any more', async () => {
  const abort = new AbortController();
  const { exec, hung, options } = hanging(() => abort.abort(new Error('changed my mind')));
  const connection = await connect(exec, options);
  await expect(connection.credentials(abort.signal)).rejects.toThrow('changed my mind');
  await expectGone(hung.pid);
});
