import type { InProcessAnswer, InProcessServer } from '@liqo/kube';
import type { ProcessClock } from './process-clock.ts';

/**
 * The server as seen by a process that may be frozen: an answer, and every part of the body of a watch, waits until the
 * process is thawed. Requests that were sent before the freeze take effect.
 */
export function hearOnceThawed(clock: ProcessClock, serve: InProcessServer): InProcessServer {
  return async (request, signal) => {
    try {
      return heldBody(clock, await serve(request, signal));
    } finally {
      await clock.untilThawed();
    }
  };
}

function heldBody(clock: ProcessClock, answer: InProcessAnswer): InProcessAnswer {
  const { body } = answer;
  const isStream = typeof body === 'object' && Symbol.asyncIterator in body;
  return isStream ? { ...answer, body: heldParts(clock, body) } : answer;
}

async function* heldParts(
  clock: ProcessClock,
  parts: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  for await (const part of parts) {
    await clock.untilThawed();
    yield part;
  }
}
