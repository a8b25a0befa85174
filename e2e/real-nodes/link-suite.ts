import { once } from 'node:events';
import { connect } from 'node:net';
import { eventually } from '@liqo/testkit';
import { link } from '@liqo/testkit/real-cluster';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { type GetPair, openPlace, type Place, patience } from './place.ts';
import type { Pair } from './start-pair.ts';
import { callerPod, webPod } from './workloads.ts';

/** Two clusters, a web server and somebody who asks in each. */
export interface Ends {
  readonly home: Place;
  readonly abroad: Place;
  /** The addresses of the web servers. */
  readonly webHome: string;
  readonly webAbroad: string;
}

export async function openEnds({ clusters: [first, second] }: Pair): Promise<Ends> {
  const [home, abroad] = await Promise.all([openPlace(first, 'link'), openPlace(second, 'link')]);
  const [webHome, webAbroad] = await Promise.all([openWeb(home), openWeb(abroad)]);
  return { home, abroad, webHome, webAbroad };
}

/** What passes between two clusters, and what becomes of it when the link is bad. One test at a time: they share it. */
export function linkSuite(pair: GetPair, ends: () => Ends): void {
  let home: Place;
  let abroad: Place;
  let webHome: string;
  let webAbroad: string;

  beforeAll(() => {
    ({ home, abroad, webHome, webAbroad } = ends());
  });

  afterEach(() => pair().link.restore());

  const fetchAbroad = () => fetchFrom(home, `http://${webAbroad}:8080/`);
  const fetchHome = () => fetchFrom(abroad, `http://${webHome}:8080/`);
  const missAbroad = () => expectSilence(home, `http://${webAbroad}:8080/`);
  const missHome = () => expectSilence(abroad, `http://${webHome}:8080/`);

  test.sequential('link() lets pods of each cluster reach pods of the other, under their own addresses', async () => {
    expect(await fetchAbroad()).toBe('web');
    expect(await fetchHome()).toBe('web');
    const caller = await home.run('get pod caller -o jsonpath={.status.podIP}');
    expect(await fetchFrom(home, `http://${webAbroad}:8080/cgi-bin/caller`)).toContain(caller);
  });

  test.sequential('Link can be disposed and made anew; without it there is no way', async () => {
    const [first, second] = pair().clusters;
    await expect(link(second, first)).rejects.toThrow('they are linked already');
    const server = second.serverFrom(first);
    await pair().link[Symbol.asyncDispose]();
    await expect(fetchFrom(home, `http://${webAbroad}:8080/`, 2)).rejects.toThrow();
    expect(() => second.serverFrom(first)).toThrow('there is no link between them');
    pair().link = await link(first, second);
    expect(await fetchAbroad()).toBe('web');
    expect(second.serverFrom(first)).toBe(server);
  });

  test.sequential('cut() stops everything, restore() lets it pass again', async () => {
    await pair().link.cut();
    await Promise.all([missAbroad(), missHome()]);
    await pair().link.restore();
    expect(await fetchAbroad()).toBe('web');
    expect(await fetchHome()).toBe('web');
  });

  test.sequential('A connection that is open outlives a cut', async () => {
    const [first, second] = pair().clusters;
    const socket = connect(addressOf(second.serverFrom(first)));
    await once(socket, 'connect');
    await pair().link.cut();
    // Not TLS: the server answers and hangs up, once it hears of it.
    socket.write('GET / HTTP/1.1\r\n\r\n');
    const answered = once(socket, 'data');
    await missAbroad();
    await pair().link.restore();
    expect(String((await answered)[0])).toContain('400 Bad Request');
  });

  test.sequential('delay() makes packets late, in the direction that is given or in both', async () => {
    const [first] = pair().clusters;
    await pair().link.delay(200, first);
    await expectDelay(200, 380);
    await pair().link.delay(200);
    await expectDelay(400, 700);
    await pair().link.restore();
    await expectDelay(0, 150);
  });

  test.sequential('lose() makes some packets vanish', async () => {
    await pair().link.lose(0.3);
    const printed = await home.run(`exec caller -- ping -c 60 -i 0.05 -W 1 ${webAbroad}`);
    const lost = Number(/(\d+)% packet loss/.exec(printed)?.[1]);
    expectBetween(lost, 20, 85);
    await pair().link.lose(1);
    await missAbroad();
  });

  test.sequential('narrow() lets through so much and no more', async () => {
    await pair().link.narrow(8_000_000);
    const started = performance.now();
    await home.run(`exec caller -- wget -qO /dev/null http://${webAbroad}:8080/large`);
    expect(performance.now() - started).toBeGreaterThan(3_500);
  });

  test.sequential('reset() ends a download in the middle, and an idle connection; the next one works', async () => {
    const [first, second] = pair().clusters;
    const idle = connect(addressOf(second.serverFrom(first)));
    await once(idle, 'connect');
    const failed = once(idle, 'error');
    await pair().link.narrow(800_000);
    const resets = await resetsSeenBy(home);
    const download = home.run(`exec caller -- wget -O /dev/null http://${webAbroad}:8080/large`);
    const broken = download.then(() => 'complete', String);
    await eventually(() => expectDownloading(home), patience);
    await pair().link.reset();
    expect(String((await failed)[0])).toContain('ECONNRESET');
    expect(await broken).toMatch(/reset by peer|closed prematurely/);
    expect(await resetsSeenBy(home)).toBe(resets + 1);
    await pair().link.restore();
    expect(await fetchAbroad()).toBe('web');
  });

  test.sequential('serverFrom() is the API server as seen from another cluster, by pods and by tests', async () => {
    const [first, second] = pair().clusters;
    const user = { name: 'visitor', groups: ['system:masters'] };
    await home.run('exec -i caller -- tee /tmp/config', await second.kubeconfigFor(user, first));
    const fromPod = (seconds: number) =>
      home.run(
        `exec caller -- kubectl --kubeconfig /tmp/config get --raw /version --request-timeout=${seconds}s`,
      );
    const direct = (seconds: number) =>
      abroad.run(
        `get --raw /version --request-timeout=${seconds}s --server ${second.serverFrom(first)}`,
      );
    expect(await fromPod(60)).toContain('v1.35');
    expect(await direct(60)).toContain('v1.35');
    await pair().link.cut();
    await Promise.all(
      [fromPod(2), direct(2)].map((call) => expect(call).rejects.toThrow(/timeout|deadline/i)),
    );
    expect(await abroad.run('get --raw /readyz')).toBe('ok');
  });

  /** Of the time there and back, in milliseconds: never below the least, and at best below the most. */
  async function expectDelay(least: number, most: number): Promise<void> {
    const best = await eventually(async () => {
      const ms = await pingAbroad();
      expect(ms).toBeLessThan(most);
      return ms;
    }, patience);
    expect(best).toBeGreaterThanOrEqual(least);
  }

  /** The best of three. */
  async function pingAbroad(): Promise<number> {
    const printed = await home.run(`exec caller -- ping -c 3 -i 0.2 ${webAbroad}`);
    return Number(/min\/avg\/max = ([\d.]+)/.exec(printed)?.[1]);
  }
}

function fetchFrom(place: Place, url: string, withinSeconds = 60): Promise<string> {
  return place.run(`exec caller -- timeout ${withinSeconds} wget -qO- ${url}`);
}

/** Nobody answers, and nobody refuses to. */
async function expectSilence(place: Place, url: string): Promise<void> {
  await expect(fetchFrom(place, url, 1)).rejects.toThrow('exit code 143');
}

/** The address of a pod that answers. */
async function openWeb(place: Place): Promise<string> {
  await place.create(webPod('web'), callerPod('caller'));
  await Promise.all([place.ready('web'), place.ready('caller')]);
  return place.run('get pod web -o jsonpath={.status.podIP}');
}

async function expectDownloading(place: Place): Promise<void> {
  expect(await place.run('exec caller -- netstat -nt')).toMatch(/:8080\s+ESTABLISHED/);
}

/** How many open connections of the caller have been reset, by its kernel: wget may take a reset for an end. */
async function resetsSeenBy(place: Place): Promise<number> {
  const counters = await place.run('exec caller -- cat /proc/net/snmp');
  const [names, values] = counters.split('\n').filter((line) => line.startsWith('Tcp:'));
  const nth = names?.split(' ').indexOf('EstabResets') ?? -1;
  return Number(values?.split(' ')[nth]);
}

function addressOf(server: string): { readonly host: string; readonly port: number } {
  const { hostname, port } = new URL(server);
  return { host: hostname, port: Number(port) };
}

function expectBetween(value: number, least: number, most: number): void {
  expect(value).toBeGreaterThanOrEqual(least);
  expect(value).toBeLessThan(most);
}
