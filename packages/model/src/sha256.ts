/**
 * SHA-256 (FIPS 180-4) of the UTF-8 bytes of a text, as lower-case hexadecimal digits. Parts of names that peers compare
 * are made of it, at once and in a browser too, where the platform's own digest makes its callers wait.
 */
export function sha256(text: string): string {
  const words = paddedWords(new TextEncoder().encode(text));
  let state = initialState;
  for (let block = 0; block < words.length; block += 16) {
    state = compress(state, words.slice(block, block + 16));
  }
  return state.map((word) => word.toString(16).padStart(8, '0')).join('');
}

/** The message, a single one bit, zeros, and the length in bits: whole blocks of sixteen words. */
function paddedWords(message: Uint8Array): Uint32Array {
  const blocks = Math.ceil((message.length + 9) / 64);
  const bytes = new Uint8Array(blocks * 64);
  bytes.set(message);
  bytes[message.length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setBigUint64(bytes.length - 8, BigInt(message.length) * 8n);
  return Uint32Array.from({ length: blocks * 16 }, (_, word) => view.getUint32(word * 4));
}

function compress(before: readonly number[], block: Uint32Array): readonly number[] {
  const schedule = expand(block);
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = before;
  for (let round = 0; round < 64; round += 1) {
    const mixedE = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const choice = (e & f) ^ (~e & g);
    const added = h + mixedE + choice + (roundConstants[round] ?? 0) + (schedule[round] ?? 0);
    const mixedA = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + added) | 0, c, b, a, (added + mixedA + majority) | 0];
  }
  const after = [a, b, c, d, e, f, g, h];
  return before.map((word, index) => (word + (after[index] ?? 0)) >>> 0);
}

function expand(block: Uint32Array): Uint32Array {
  const words = new Uint32Array(64);
  words.set(block);
  const at = (index: number) => words[index] ?? 0;
  for (let index = 16; index < 64; index += 1) {
    const [early, late] = [at(index - 15), at(index - 2)];
    const mixedEarly = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const mixedLate = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    words[index] = at(index - 16) + mixedEarly + at(index - 7) + mixedLate;
  }
  return words;
}

function rotate(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

/** The first 32 bits behind the point of the roots of the first primes: the standard's source of arbitrary numbers. */
function fractions(root: (prime: number) => number, count: number): number[] {
  return firstPrimes(count).map((prime) => Math.floor((root(prime) % 1) * 2 ** 32));
}

function firstPrimes(count: number): number[] {
  const primes: number[] = [];
  for (let candidate = 2; primes.length < count; candidate += 1) {
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  }
  return primes;
}

const initialState: readonly number[] = fractions(Math.sqrt, 8);
const roundConstants: readonly number[] = fractions(Math.cbrt, 64);
