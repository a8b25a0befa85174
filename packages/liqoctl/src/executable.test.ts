import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { forgeKubeconfig, printKubeconfig } from '@liqo/kube/node';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const bin = join(import.meta.dirname, '../bin');

describe('the executable', () => {
  const folder = mkdtempSync(join(tmpdir(), 'liqoctl-'));
  const bundle = join(folder, 'liqoctl.mjs');
  const env = { PATH: process.env.PATH, HOME: folder };

  beforeAll(async () => {
    await build({
      entryPoints: [join(bin, 'liqoctl.ts')],
      outfile: bundle,
      bundle: true,
      minify: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
    });
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  function start(...args: string[]): ChildProcess {
    return spawn(process.execPath, [bundle, ...args], { env, stdio: 'pipe' });
  }

  async function outcomeOf(child: ChildProcess) {
    const [stdout, stderr, [code]] = await Promise.all([
      child.stdout ? text(child.stdout) : '',
      child.stderr ? text(child.stderr) : '',
      once(child, 'exit'),
    ]);
    return { code, stdout, stderr };
  }

  test.each([
    [['--help'], 0],
    [['version', '--client'], 0],
    [['info'], 1],
    [['frobnicate'], 2],
  ])('ends %j with %d, and says it in the right place', async (args, code) => {
    const outcome = await outcomeOf(start(...args));
    expect(outcome.code).toBe(code);
    expect(code === 0 ? outcome.stderr : outcome.stdout).toBe('');
    expect(code === 0 ? outcome.stdout : outcome.stderr).not.toBe('');
    expect(outcome.stderr).not.toContain('\u001b');
  });

  test('is the same from source', async () => {
    const fromSource = execFileSync(join(bin, 'liqoctl.mjs'), ['--help'], {
      env,
      encoding: 'utf8',
    });
    expect(fromSource).toBe((await outcomeOf(start('--help'))).stdout);
  });

  test('needs no folder for temporary files, from source either', async () => {
    const args = ['version', '--client'];
    const options = { env: { ...env, TMPDIR: '/dev/null' }, encoding: 'utf8' } as const;
    const fromSource = execFileSync(join(bin, 'liqoctl.mjs'), args, options);
    expect(fromSource).toBe((await outcomeOf(start(...args))).stdout);
  });

  test('says on Ctrl-C that nothing was changed, and ends with 130', async () => {
    const silent = createServer();
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const server = `https://127.0.0.1:${port}`;
    const kubeconfig = join(folder, 'silent.kubeconfig');
    const config = forgeKubeconfig({ name: 'silent', server, user: { token: 'x' } });
    writeFileSync(kubeconfig, printKubeconfig(config));
    const child = start('info', '--kubeconfig', kubeconfig);
    const ended = outcomeOf(child);
    const [socket] = await once(silent, 'connection');
    child.kill('SIGINT');
    expect(await ended).toEqual({
      code: 130,
      stdout: '',
      stderr: '✖ Interrupted: nothing was changed\n  Run it again to do it\n',
    });
    socket.destroy();
    silent.close();
  });

  test('says why the output cannot be written to a full disk', async () => {
    const full = openSync('/dev/full', 'w');
    const child = spawn(process.execPath, [bundle, '--help'], {
      env,
      stdio: ['ignore', full, 'pipe'],
    });
    closeSync(full);
    expect(await outcomeOf(child)).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^✖ Cannot write the output: ENOSPC: no space left on device.*\n {2}Free some space .*\n$/,
      ),
    });
  });

  test('does not say that a read whose answer was lost may have changed something', async () => {
    const server = createHttpServer(({ socket }) => socket.destroy());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const kubeconfig = join(folder, 'lossy.kubeconfig');
    const address = `http://127.0.0.1:${port}`;
    const config = forgeKubeconfig({ name: 'lossy', server: address, user: { token: 'x' } });
    writeFileSync(kubeconfig, printKubeconfig(config));
    const { code, stderr } = await outcomeOf(start('get', 'vn', '--kubeconfig', kubeconfig));
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^✖ Cannot get VirtualNodes: the connection ended .*\n {2}Try again, or /,
    );
    server.close();
  });

  test('ends quietly when nobody reads any more', async () => {
    const child = start('completion', 'zsh');
    child.stdout?.destroy();
    const [stderr, [code]] = await Promise.all([
      child.stderr ? text(child.stderr) : '',
      once(child, 'exit'),
    ]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  /** In processor time, which does not depend on what else the machine does; the best of a few. */
  function startUpMs(...args: string[]): number {
    const report =
      'process.on("exit",()=>{const{user,system}=process.cpuUsage();process._rawDebug((user+system)/1000)})';
    const preload = `data:text/javascript,${encodeURIComponent(report)}`;
    const command = `"$0" --import '${preload}' "$@" 2>&1 >/dev/null || true`;
    const once = () => {
      const options = { env, encoding: 'utf8' } as const;
      const written = execFileSync('sh', ['-c', command, process.execPath, ...args], options);
      // The report comes after what a command says.
      return Number(written.trim().split('\n').at(-1));
    };
    return Math.min(...Array.from({ length: 7 }, once));
  }

  test('says how it is used within 150 ms of what Node itself takes', () => {
    expect(startUpMs(bundle, '--help') - startUpMs('-e', '0')).toBeLessThan(150);
  });

  test('starts to explain a pod within 150 ms of what Node itself takes', () => {
    const args = ['why', 'pod/web', '--kubeconfig', '/nonexistent'];
    expect(startUpMs(bundle, ...args) - startUpMs('-e', '0')).toBeLessThan(150);
  });

  test('suggests commands of kubectl when it is started as its plugin', async () => {
    const plugin = join(folder, 'kubectl-liqo');
    symlinkSync(bundle, plugin);
    const { stderr } = await outcomeOf(
      spawn(process.execPath, [plugin, 'frobnicate'], { env, stdio: 'pipe' }),
    );
    expect(stderr).toContain('"kubectl liqo --help" lists the commands');
  });
});
