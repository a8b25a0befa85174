import type { Random } from '@liqo/kube';

/** A version 4 UUID from the injected chance, so that a seed replays it. */
export function randomUuid(random: Random): string {
  const hex = Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16));
  hex[12] = '4';
  hex[16] = '89ab'.charAt(Math.floor(random() * 4));
  const text = hex.join('');
  return [8, 12, 16, 20, 32].map((end, i, ends) => text.slice(ends[i - 1] ?? 0, end)).join('-');
}
