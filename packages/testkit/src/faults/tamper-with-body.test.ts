import { expect, test } from 'vitest';
import { VirtualClock } from '../virtual-clock.ts';
import { dropBookmarks, errorEvent, type Fault, rewriteLine } from './fault.ts';
import { tamperWithBody } from './tamper-with-body.ts';

const bookmark = '{"type":"BOOKMARK","object":{}}';
const lines = ['{"type":"ADDED","object":"ü"}', bookmark, '{"type":"DELETED","object":"é"}'];

async function* body() {
  for (const line of lines) yield Buffer.from(`${line}\n`);
}

async function tampered(fault: Fault, clock = new VirtualClock()): Promise<string[]> {
  const chunks: string[] = [];
  const { signal } = new AbortController();
  for await (const chunk of tamperWithBody(body(), fault, clock, signal)) {
    chunks.push(Buffer.from(chunk).toString('latin1'));
  }
  return chunks;
}

const whole = (chunks: readonly string[]) =>
  Buffer.from(chunks.join(''), 'latin1').toString('utf8').trimEnd().split('\n');

test('tamperWithBody() leaves a body alone when nothing is wrong with it', async () => {
  expect(whole(await tampered({}))).toEqual(lines);
});

test('tamperWithBody() sends pieces of the size asked for, characters torn apart', async () => {
  const chunks = await tampered({ chunkBytes: 1 });
  expect(chunks.every((chunk) => chunk.length === 1)).toBe(true);
  expect(whole(chunks)).toEqual(lines);
});

test('tamperWithBody() rewrites the line of a number', async () => {
  const fault = rewriteLine(3, (line) => line.slice(0, 5));
  expect(whole(await tampered(fault))).toEqual([lines[0], lines[1], '{"typ']);
});

test('tamperWithBody() drops bookmarks, and puts an error in place of the first event', async () => {
  expect(whole(await tampered(dropBookmarks()))).toEqual([lines[0], lines[2]]);
  const [first] = whole(await tampered(errorEvent(410, 'Expired')));
  expect(JSON.parse(first ?? '')).toMatchObject({ type: 'ERROR', object: { code: 410 } });
});

test('tamperWithBody() lets every piece take its time', async () => {
  const clock = new VirtualClock();
  let endedMs = Number.NaN;
  const reading = tampered({ eventsTakeMs: 1_000 }, clock).then((chunks) => {
    endedMs = clock.monotonicMs();
    return chunks;
  });
  await clock.advance(10_000);
  expect(whole(await reading)).toEqual(lines);
  expect(endedMs).toBe(3_000);
});

test('tamperWithBody() asks anew for every piece how long it takes', async () => {
  const clock = new VirtualClock();
  const times = [2_000, 0, 500];
  let endedMs = Number.NaN;
  const reading = tampered({ eventsTakeMs: () => times.shift() ?? 0 }, clock).then(() => {
    endedMs = clock.monotonicMs();
  });
  await clock.advance(10_000);
  await reading;
  expect(endedMs).toBe(2_500);
});

test('tamperWithBody() leaves no timer behind when nobody reads any more', async () => {
  const clock = new VirtualClock();
  const gone = new AbortController();
  const late = tamperWithBody(body(), { eventsTakeMs: 1_000 }, clock, gone.signal);
  const reading = late[Symbol.asyncIterator]().next();
  await clock.settle();
  gone.abort();
  expect(await reading).toMatchObject({ done: true });
  expect(clock.pendingTimers).toBe(0);
});
