import { sha256 } from '../sha256.ts';

/**
 * The value of the label `liqo.io/creator-user` for a user name: as Liqo v1.2 writes it, with dashes for all characters that
 * a label cannot have. A name that is still no label value is cut and told apart by its hash.
 */
export function creatorLabel(user: string): string {
  const escaped = user.replaceAll(/[^A-Za-z0-9_.-]/g, '-');
  if (labelValue.test(escaped)) return escaped;
  const kept = escaped.replace(/^[^A-Za-z0-9]+/, '').slice(0, longest - hashDigits - 1);
  return `${kept}${kept && '-'}${sha256(user).slice(0, hashDigits)}`;
}

const longest = 63;
const hashDigits = 12;
const labelValue = /^[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$/;
