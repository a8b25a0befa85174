import { InProcessTransport, TransportError } from '@liqo/kube';
import { expect, test } from 'vitest';
import { FaultyLink, type LinkFault } from './faulty-link.ts';
import { rejection } from './rejection.ts';
import { VirtualClock } from './virtual-clock.ts';

function start(fault: LinkFault) {
  const clock = new VirtualClock();
  const reached: string[] = [];
  const link = new FaultyLink(async ({ method }) => {
    reached.push(`${method} at ${clock.monotonicMs()}`);
    return { status: 200, body: 'fine' };
  }, clock);
  link.fault = fault;
  const transport = new InProcessTransport(link.serve);
  const status = async (method: string) => (await transport.send({ method, path: '/' })).status;
  return { clock, reached, transport, status };
}

test.each([
  ['none', 'GET', 200, true],
  ['none', 'PUT', 200, true],
  ['failing', 'GET', 500, false],
  ['failing', 'PUT', 500, false],
  ['garbledAnswer', 'GET', 200, true],
  ['garbledAnswer', 'PUT', 500, true],
  ['lostAnswer', 'GET', 200, true],
  ['conflicting', 'GET', 200, true],
  ['conflicting', 'PUT', 409, false],
] as const)(
  'FaultyLink that is "%s" answers a %s with %d',
  async (fault, method, code, reaches) => {
    const { reached, status } = start(fault);
    expect(await status(method)).toBe(code);
    expect(reached).toHaveLength(reaches ? 1 : 0);
  },
);

test('FaultyLink that refuses says that nothing was sent', async () => {
  const { status } = start('refused');
  const error = await rejection(status('PUT'));
  expect(error).toBeInstanceOf(TransportError);
  expect(error).toMatchObject({ sent: false });
});

test.each([
  ['lostRequest', 0],
  ['lostAnswer', 1],
] as const)('FaultyLink with "%s" is silent until the caller gives up', async (fault, times) => {
  const { clock, reached, transport } = start(fault);
  const giveUp = new AbortController();
  const sending = transport.send({ method: 'PUT', path: '/' }, giveUp.signal);
  clock.after(5_000, () => giveUp.abort(new Error('enough')));
  const error = rejection(sending);
  await clock.advance(5_000);
  expect(await error).toMatchObject({ message: 'enough' });
  expect(reached).toHaveLength(times);
});

test('FaultyLink that is slow delivers a request even when its sender has given up', async () => {
  const { clock, reached, transport } = start({ delayMs: 1_000 });
  const giveUp = new AbortController();
  const error = rejection(transport.send({ method: 'PUT', path: '/' }, giveUp.signal));
  giveUp.abort(new Error('enough'));
  expect(await error).toMatchObject({ message: 'enough' });
  await clock.advance(2_000);
  expect(reached).toEqual(['PUT at 1000']);
});

test('FaultyLink that is slow answers after both ways', async () => {
  const { clock, status } = start({ delayMs: 1_000 });
  let answered: number | undefined;
  const asking = status('GET').then(() => {
    answered = clock.monotonicMs();
  });
  await clock.advance(5_000);
  await asking;
  expect(answered).toBe(2_000);
});
