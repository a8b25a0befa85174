/**
 * FNV-1a with 64 bits over the UTF-8 bytes: the same everywhere and for ever, so that its results may be part of names.
 * It keeps different texts apart by chance only. It is not cryptographic: whoever can choose the texts can make two that
 * collide.
 */
export function fnv1a64(text: string): bigint {
  // Two halves of 32 bits, because numbers are exact up to 53 only and bigints are slow.
  let high = 0xcbf29ce4;
  let low = 0x84222325;
  for (const byte of new TextEncoder().encode(text)) {
    low = (low ^ byte) >>> 0;
    // The prime is 2^40 + 0x1b3.
    const product = low * 0x1b3;
    high = (high * 0x1b3 + Math.floor(product / 2 ** 32) + low * 2 ** 8) >>> 0;
    low = product >>> 0;
  }
  return (BigInt(high) << 32n) | BigInt(low);
}

/** Every hash as text has this length. */
export const hashLength = 13;

/** The 64 bits as lower-case letters and digits, fit for any Kubernetes name. */
export function hashText(text: string): string {
  return fnv1a64(text).toString(36).padStart(hashLength, '0');
}
