import type { FaultCut } from './fault.ts';

const lineEnd = 0x0a;

/** The same bytes, with the word `cut` at the place where something happens to them. */
export function markCut(
  body: AsyncIterable<Uint8Array>,
  cut: FaultCut | undefined,
): AsyncIterable<Uint8Array | 'cut'> {
  return cut ? marked(body, cut) : body;
}

async function* marked(
  body: AsyncIterable<Uint8Array>,
  cut: FaultCut,
): AsyncGenerator<Uint8Array | 'cut'> {
  const cutter = new Cutter(cut);
  if (cutter.isDue) yield 'cut';
  for await (const chunk of body) {
    const at = cutter.isDue ? undefined : cutter.placeIn(chunk);
    if (at === undefined) {
      yield chunk;
      continue;
    }
    yield chunk.subarray(0, at);
    yield 'cut';
    if (at < chunk.length) yield chunk.subarray(at);
  }
}

/** Counts down to the place. */
class Cutter {
  readonly #byLines: boolean;
  #left: number;

  constructor(cut: FaultCut) {
    this.#byLines = 'afterLines' in cut;
    this.#left = 'afterLines' in cut ? cut.afterLines : cut.afterBytes;
  }

  get isDue(): boolean {
    return this.#left <= 0;
  }

  /** How many bytes of the chunk come before the place, undefined when it is not in there. */
  placeIn(chunk: Uint8Array): number | undefined {
    return this.#byLines ? this.#afterLines(chunk) : this.#afterBytes(chunk);
  }

  #afterBytes(chunk: Uint8Array): number | undefined {
    const at = Math.min(this.#left, chunk.length);
    this.#left -= at;
    return this.isDue ? at : undefined;
  }

  #afterLines(chunk: Uint8Array): number | undefined {
    let at = 0;
    while (!this.isDue) {
      at = chunk.indexOf(lineEnd, at) + 1;
      if (at === 0) return undefined;
      this.#left -= 1;
    }
    return at;
  }
}
