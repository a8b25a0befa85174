import { once } from 'node:events';
import { connect } from 'node:net';
import { eventually } from '@liqo/testkit';
import { link } from '@liqo/testkit/cluster';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { type GetPair, openPlace, type Place, patience } from './place.ts';
import { callerPod, webPod } from './workloads.ts';

/** What passes between two clusters, and what becomes of it when the link is bad. */
export function linkSuite(pair: GetPair): void {
  let home: Place;
  let abroad: Place;
  let webHome: string;
  let webAbroad: string;

  beforeAll(async () => {
    const [first, second] = pair().clusters;
    [home, abroad] = await Promise.all([openPlace(first, 'link'), openPlace(second, 'link')]);
    [webHome, webAbroad] = await Promise.all([openWeb(home), openWeb(abroad)]);
  });

  afterEach(() => pair().link.restore());

  const fetchAbroad = () => fetchFrom(home, `http://${webAbroad}:8080/`);
  const fetchHome = () => fetchFrom(abroad, `http://${webHome}:8080/`);

  test('link() lets pods of each cluster reach pods of the other, under their own addresses', async () => {
    expect(await fetchAbroad()).toBe('web');
    expect(await fetchHome()).toBe('web');
    const caller = await home.run('get pod caller -o jsonpath={.status.podIP}');
    expect(await fetchFrom(home, `http://${webAbroad}:8080/cgi-bin/caller`)).toContain(caller);
  });

  test('Link can be disposed and made anew; without it there is no way', async () => {
    const [first, second] = pair().clusters;
    await expect(link(second, first)).rejects.toThrow('they are linked already');
    const server = second.serverFrom(first);
    await pair().link[Symbol.asyncDispose]();
    await expect(fetchAbroad()).rejects.toThrow();
    expect(() => second.serverFrom(first)).toThrow('there is no link between them');
    pair().link = await link(first, second);
    expect(await fetchAbroad()).toBe('web');
    expect(second.serverFrom(first)).toBe(server);
  });

  test('cut() stops everything, restore() lets it pass again', async () => {
    await pair().link.cut();
    await expect(fetchAbroad()).rejects.toThrow(timedOut);
    await expect(fetchHome()).rejects.toThrow(timedOut);
    await pair().link.restore();
    expect(await fetchAbroad()).toBe('web');
    expect(await fetchHome()).toBe('web');
  });

  test('A connection that is open outlives a cut', async () => {
    const [first, second] = pair().clusters;
    const socket = connect(addressOf(second.serverFrom(first)));
    await once(socket, 'connect');
    await pair().link.cut();
    // Not TLS: the server answers and hangs up, once it hears of it.
    socket.write('GET / HTTP/1.1\r\n\r\n');
    const answered = once(socket, 'data');
    await expect(fetchAbroad()).rejects.toThrow(timedOut);
    await pair().link.restore();
    expect(String((await answered)[0])).toContain('400 Bad Request');
  });

  test('delay() makes packets late, in the direction that is given or in both', async () => {
    const [first] = pair().clusters;
    await pair().link.delay(200, first);
    expectBetween(await pingAbroad(), 200, 380);
    await pair().link.delay(200);
    expectBetween(await pingAbroad(), 400, 700);
    await pair().link.restore();
    expectBetween(await pingAbroad(), 0, 150);
  });

  test('lose() makes some packets vanish', async () => {
    await pair().link.lose(0.3);
    const printed = await home.run(`exec caller -- ping -c 60 -i 0.05 -W 1 ${webAbroad}`);
    const lost = Number(/(\d+)% packet loss/.exec(printed)?.[1]);
    expectBetween(lost, 20, 85);
    await pair().link.lose(1);
    await expect(fetchAbroad()).rejects.toThrow(timedOut);
  });

  test('narrow() lets through so much and no more', async () => {
    await pair().link.narrow(8_000_000);
    const started = performance.now();
    await home.run(`exec caller -- wget -qO /dev/null http://${webAbroad}:8080/large`);
    expect(performance.now() - started).toBeGreaterThan(3_500);
  });

  test('reset() ends a download in the middle, and an idle connection; the next one works', async () => {
    const [first, second] = pair().clusters;
    const idle = connect(addressOf(second.serverFrom(first)));
    await once(idle, 'connect');
    const failed = once(idle, 'error');
    await pair().link.narrow(800_000);
    const download = home.run(`exec caller -- wget -O /dev/null http://${webAbroad}:8080/large`);
    const broken = download.then(() => 'complete', String);
    await eventually(() => expectDownloading(home), patience);
    await pair().link.reset();
    expect(String((await failed)[0])).toContain('ECONNRESET');
    expect(await broken).toContain('Connection reset by peer');
    await pair().link.restore();
    expect(await fetchAbroad()).toBe('web');
  });

  test('serverFrom() is the API server as seen from another cluster, by pods and by tests', async () => {
    const [first, second] = pair().clusters;
    const user = { name: 'visitor', groups: ['system:masters'] };
    await home.run('exec -i caller -- tee /tmp/config', await second.kubeconfigFor(user, first));
    const ask = 'kubectl --kubeconfig /tmp/config --request-timeout=3s get namespace link -o name';
    expect(await home.run(`exec caller -- ${ask}`)).toBe('namespace/link');
    const direct = `get --raw /version --request-timeout=3s --server`;
    expect(await abroad.run(`${direct} ${second.serverFrom(first)}`)).toContain('v1.35');
    await pair().link.cut();
    await expect(home.run(`exec caller -- ${ask}`)).rejects.toThrow(/timeout|deadline/i);
    await expect(abroad.run(`${direct} ${second.serverFrom(first)}`)).rejects.toThrow(
      /timeout|deadline/i,
    );
    expect(await abroad.run('get --raw /readyz')).toBe('ok');
  });

  /** The time there and back, at best, in milliseconds. */
  async function pingAbroad(): Promise<number> {
    const printed = await home.run(`exec caller -- ping -c 3 -i 0.2 ${webAbroad}`);
    return Number(/min\/avg\/max = ([\d.]+)/.exec(printed)?.[1]);
  }
}

const timedOut = 'exit code 143';

/** Gives up after three seconds. */
function fetchFrom(place: Place, url: string): Promise<string> {
  return place.run(`exec caller -- timeout 3 wget -qO- ${url}`);
}

/** The address of a pod that answers. */
async function openWeb(place: Place): Promise<string> {
  await place.apply(webPod('web'), callerPod('caller'));
  await Promise.all([place.ready('web'), place.ready('caller')]);
  return place.run('get pod web -o jsonpath={.status.podIP}');
}

async function expectDownloading(place: Place): Promise<void> {
  expect(await place.run('exec caller -- netstat -nt')).toMatch(/:8080\s+ESTABLISHED/);
}

function addressOf(server: string): { readonly host: string; readonly port: number } {
  const { hostname, port } = new URL(server);
  return { host: hostname, port: Number(port) };
}

function expectBetween(value: number, least: number, most: number): void {
  expect(value).toBeGreaterThanOrEqual(least);
  expect(value).toBeLessThan(most);
}
