import { getEventListeners, setMaxListeners } from 'node:events';
import { rejection, VirtualClock } from '@liqo/testkit';
import { expect, test } from 'vitest';
import { ApiError } from './api-error.ts';
import { DeadlineError } from './clock.ts';
import { type InProcessAnswer, InProcessTransport } from './in-process-transport.ts';
import { type Exchange, Requester } from './requester.ts';
import { TransportError, type TransportRequest } from './transport.ts';

type Step = InProcessAnswer | Error | 'silence';

const fine: Step = { status: 200, body: 'fine' };
const busy = (status: number, retryAfter?: string): Step => ({
  status,
  body: JSON.stringify({ kind: 'Status', code: status, message: 'busy' }),
  ...(retryAfter !== undefined && { headers: { 'retry-after': retryAfter } }),
});
const lost = (sent: boolean) => new TransportError('the line is dead', { sent });

/** A server that answers with one step after the other, the last one again and again. */
function start(...script: readonly Step[]) {
  const clock = new VirtualClock();
  const requests: (TransportRequest & { atMs: number })[] = [];
  const transport = new InProcessTransport(async (request) => {
    const step = script[Math.min(requests.length, script.length - 1)] ?? fine;
    requests.push({ ...request, atMs: clock.monotonicMs() });
    if (step instanceof Error) throw step;
    return step === 'silence' ? new Promise(() => undefined) : step;
  });
  const random = () => 0.5;
  const options = { transport, clock, random, timeoutMs: 60_000, userAgent: 'test' };
  return { clock, requests, requester: new Requester(options) };
}

function exchange(method: string, more: Partial<Exchange<string>> = {}): Exchange<string> {
  return {
    request: { method, path: '/api/v1/pods?limit=1' },
    signal: undefined,
    timeoutMs: undefined,
    read: (response) => response.text(),
    ...more,
  };
}

/** Lets time pass until the call is over. */
async function finished<T>(clock: VirtualClock, call: Promise<T>): Promise<T> {
  call.catch(() => undefined);
  await clock.advance(120_000);
  return call;
}

test('call() says what it accepts and who it is, unless the request does', async () => {
  const { requester, requests } = start(fine);
  expect(await requester.call(exchange('GET'))).toBe('fine');
  const headers = { accept: 'text/plain' };
  await requester.call(exchange('GET', { request: { method: 'GET', path: '/', headers } }));
  expect(requests.map((request) => request.headers)).toEqual([
    { accept: 'application/json', 'user-agent': 'test' },
    { accept: 'text/plain', 'user-agent': 'test' },
  ]);
});

test.each([
  ['a GET turned away with 429', 'GET', busy(429, '3')],
  ['a POST turned away with 429', 'POST', busy(429, '3')],
  ['a GET turned away with 503', 'GET', busy(503, '3')],
  ['a GET turned away until a date', 'GET', busy(503, 'Tue, 01 Jan 2030 00:00:03 GMT')],
])('call() repeats %s when the server said, not sooner', async (_, method, refusal) => {
  const { requester, requests, clock } = start(refusal, fine);
  expect(await finished(clock, requester.call(exchange(method)))).toBe('fine');
  const waitedMs = (requests[1]?.atMs ?? 0) - (requests[0]?.atMs ?? 0);
  expect(waitedMs).toBeGreaterThanOrEqual(3_000);
  expect(waitedMs).toBeLessThan(3_500);
});

test.each([
  ['a GET on a connection that broke', 'GET', lost(true)],
  ['a POST that was never sent', 'POST', lost(false)],
])('call() repeats %s', async (_, method, failure) => {
  const { requester, requests, clock } = start(failure, failure, fine);
  expect(await finished(clock, requester.call(exchange(method)))).toBe('fine');
  expect(requests.map(({ atMs }) => atMs)).toEqual([0, 100, 300]);
});

test.each([
  ['a write that may have taken effect', 'POST', lost(true), TransportError],
  ['a write turned away with 503', 'PUT', busy(503, '1'), ApiError],
  ['a refusal without a time', 'GET', busy(429), ApiError],
  ['an error of the server', 'GET', busy(500, '1'), ApiError],
  ['a conflict', 'GET', busy(409), ApiError],
])('call() does not repeat %s', async (_, method, step, kind) => {
  const { requester, requests, clock } = start(step, fine);
  const error = await rejection(finished(clock, requester.call(exchange(method))));
  expect(error).toBeInstanceOf(kind);
  expect(requests).toHaveLength(1);
});

test('call() gives up after five attempts, with the last refusal', async () => {
  const { requester, requests, clock } = start(busy(429, '1'));
  const error = await rejection(finished(clock, requester.call(exchange('GET'))));
  expect(error).toMatchObject({ code: 429, retryAfterMs: 1_000 });
  expect(requests).toHaveLength(5);
});

test('call() does not begin a wait that passes its deadline, and says how long it would be', async () => {
  const { requester, requests, clock } = start(busy(429, '10'));
  const error = await rejection(requester.call(exchange('GET', { timeoutMs: 9_000 })));
  expect(error).toMatchObject({ code: 429, retryAfterMs: 10_000 });
  expect(clock.monotonicMs()).toBe(0);
  expect(requests).toHaveLength(1);
});

test('call() shows a refusal at once when it shall not repeat, and takes it for no overload', async () => {
  const { requester, requests } = start(busy(429, '10'));
  const before = requester.limit.current;
  for (let n = 0; n < 5; n++) {
    const call = requester.call(exchange('POST', { repeat: false }));
    expect(await rejection(call)).toMatchObject({ code: 429 });
  }
  expect(requests).toHaveLength(5);
  expect(requester.limit.current).toBe(before);
});

test('call() lets a request of another namespace pass a crowd that waits', async () => {
  const answers: (() => void)[] = [];
  const asked: string[] = [];
  const transport = new InProcessTransport(async ({ path }) => {
    asked.push(path);
    await new Promise<void>((resolve) => answers.push(resolve));
    return { status: 200, body: 'fine' };
  });
  const options = { transport, clock: new VirtualClock(), random: () => 0.5, timeoutMs: 60_000 };
  const limit = { initial: 1, min: 1, max: 1 };
  const requester = new Requester({ ...options, userAgent: 'test', limit });
  const [crowd, other] = ['/api/v1/namespaces/crowd/pods', '/api/v1/namespaces/other/pods/one'];
  const calls = [crowd, crowd, crowd, other].map((path) =>
    requester.call(exchange('GET', { request: { method: 'GET', path } })),
  );
  for (let i = 0; i < calls.length; i++) {
    await new Promise(setImmediate);
    answers.shift()?.();
  }
  await Promise.all(calls);
  expect(asked).toEqual([crowd, crowd, other, crowd]);
});

test('call() sends fewer requests at a time after a 429', async () => {
  const { requester, clock } = start(busy(429, '1'), fine);
  const before = requester.limit.current;
  await finished(clock, requester.call(exchange('GET')));
  expect(requester.limit.current).toBe(before / 2);
  expect(requester.limit.running).toBe(0);
});

test('call() ends at its deadline when there is no answer, and names what it asked for', async () => {
  const { requester, clock } = start('silence');
  const error = await rejection(finished(clock, requester.call(exchange('GET'))));
  expect(error).toBeInstanceOf(DeadlineError);
  expect(error).toMatchObject({ message: 'Cannot GET /api/v1/pods: no answer within 60 s' });
  expect(requester.limit.running).toBe(0);
  expect(clock.pendingTimers).toBe(0);
});

test('call() ends with the reason of the signal while it waits to repeat', async () => {
  const { requester, requests, clock } = start(busy(429, '10'));
  const controller = new AbortController();
  const reason = new Error('enough');
  const { signal } = controller;
  const ended = rejection(requester.call(exchange('GET', { signal })));
  await clock.advance(5_000);
  controller.abort(reason);
  expect(await ended).toBe(reason);
  expect(requests).toHaveLength(1);
  expect(clock.pendingTimers).toBe(0);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('call() waits its turn, and gives it back whatever happens', async () => {
  const { requester, requests, clock } = start('silence');
  const controller = new AbortController();
  const { signal } = controller;
  setMaxListeners(0, signal);
  const calls = Array.from({ length: 100 }, () =>
    rejection(requester.call(exchange('GET', { signal }))),
  );
  await clock.settle();
  expect(requests).toHaveLength(64);
  controller.abort();
  await Promise.all(calls);
  expect(requester.limit.running).toBe(0);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('call() repeats a read whose body was cut off', async () => {
  const { requester, clock } = start(fine);
  let reads = 0;
  const read = async () => {
    reads += 1;
    if (reads < 3) throw lost(true);
    return 'whole';
  };
  expect(await finished(clock, requester.call(exchange('GET', { read })))).toBe('whole');
  expect(requester.limit.running).toBe(0);
});

const status = (fields: object) => JSON.stringify({ kind: 'Status', ...fields });

test.each([
  [
    'what the server said',
    404,
    status({
      code: 404,
      reason: 'NotFound',
      message: 'pods "a" not found',
      details: { name: 'a' },
    }),
    { code: 404, reason: 'NotFound', message: 'pods "a" not found', details: { name: 'a' } },
  ],
  ['the HTTP status when the body has none', 403, status({ message: 'no' }), { code: 403 }],
  [
    'the words of whatever is in between',
    503,
    '<html>upstream is down</html>\n',
    {
      code: 503,
      reason: 'ServiceUnavailable',
      message: 'The server answered 503: <html>upstream is down</html>',
    },
  ],
  [
    'the status alone when there are no words',
    429,
    '',
    { reason: 'TooManyRequests', message: 'The server answered 429' },
  ],
  [
    'JSON that is no Status as words',
    401,
    '{"error":"token"}',
    { code: 401, reason: 'Unauthorized', message: 'The server answered 401: {"error":"token"}' },
  ],
  [
    'no more than a line of a long page',
    502,
    'x'.repeat(10_000),
    { message: `The server answered 502: ${'x'.repeat(200)}` },
  ],
])('open() throws %s', async (_, code, body, expected) => {
  const { requester } = start({ status: code, body });
  const error = await rejection(requester.open({ method: 'GET', path: '/' }, undefined));
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject(expected);
});

test('open() does not count towards the limit, and is not repeated', async () => {
  const { requester, requests } = start(fine, busy(429, '1'));
  const response = await requester.open({ method: 'GET', path: '/' }, undefined);
  expect(requester.limit.running).toBe(0);
  response.discard();
  expect(await rejection(requester.open({ method: 'GET', path: '/' }, undefined))).toMatchObject({
    code: 429,
    retryAfterMs: 1_000,
  });
  expect(requests).toHaveLength(2);
});
