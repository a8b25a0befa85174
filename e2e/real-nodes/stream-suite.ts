import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import { environmentOf } from '../kubectl/run-kubectl.ts';
import { accessTo } from './kubectl.ts';
import { type GetPair, type Place, testOnBoth } from './place.ts';
import { podOf, webPod } from './workloads.ts';

/** What people do with a running container: look, enter, reach and copy. */
export function streamSuite(pair: GetPair): void {
  testOnBoth(
    pair,
    'kubectl logs -f prints lines as they are written, and ends with the container',
    async (place) => {
      const script = 'echo first; until [ -e /tmp/go ]; do sleep 0.1; done; echo second';
      await place.create(podOf('talker', script, { spec: { restartPolicy: 'Never' } }));
      await place.ready('talker');
      const follower = startKubectl(place, 'logs -f talker');
      const [first] = await once(follower.stdout, 'data');
      expect(String(first)).toBe('first\n');
      const rest = text(follower.stdout);
      await place.run('exec talker -- touch /tmp/go');
      expect(await rest).toBe('second\n');
    },
  );

  testOnBoth(pair, 'kubectl exec -it gives a terminal', async (place) => {
    await place.create(podOf('shell', 'exec sleep 3600'));
    await place.ready('shell');
    const { kubectl: program, ...access } = accessTo(place.cluster);
    const line = `${program} -n ${place.namespace} exec -it shell -- sh`;
    const terminal = spawn('script', ['--quiet', '--command', line, '/dev/null'], {
      env: environmentOf({ kubectl: program, ...access }),
    });
    terminal.stdin.write('tty; stty size; exit 3\n');
    expect(await text(terminal.stdout)).toMatch(/^\/dev\/pts\/\d+\r?$/m);
  });

  testOnBoth(pair, 'kubectl exec hands through standard input and the exit code', async (place) => {
    await place.create(podOf('shell', 'exec sleep 3600'));
    await place.ready('shell');
    expect(await place.run('exec -i shell -- wc -c', 'x'.repeat(100_000))).toBe('100000');
    await expect(place.run('exec shell -- false')).rejects.toThrow('exit code 1');
  });

  testOnBoth(pair, 'kubectl port-forward reaches a port of a pod', async (place) => {
    await place.create(webPod('web'));
    await place.ready('web');
    const forwarding = startKubectl(place, 'port-forward pod/web :8080');
    const [line] = await once(forwarding.stdout, 'data');
    const port = /127\.0\.0\.1:(\d+)/.exec(String(line))?.[1];
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('web\n');
    forwarding.kill();
  });

  testOnBoth(pair, 'kubectl cp copies into a container and out of it', async (place) => {
    await place.create(podOf('shelf', 'exec sleep 3600'));
    await place.ready('shelf');
    const folder = join(place.cluster.folder, 'cp');
    mkdirSync(folder);
    writeFileSync(join(folder, 'there'), 'x'.repeat(1_000_000));
    await place.run(`cp ${folder}/there shelf:/tmp/copy`);
    await place.run(`cp shelf:/tmp/copy ${folder}/back`);
    expect(readFileSync(join(folder, 'back'), 'utf8')).toBe('x'.repeat(1_000_000));
  });
}

/** A running kubectl with streams to talk to. */
function startKubectl({ cluster, namespace }: Place, line: string) {
  const access = accessTo(cluster);
  return spawn(access.kubectl, ['-n', namespace, ...line.split(' ')], {
    env: environmentOf(access),
  });
}
