import { isJsonObject, ownMember } from '@liqo/kube';
import { digestText } from './digest-texts.ts';

/**
 * Whether an object at the provider, with digests for long texts, has everything that is wanted of it. What is wanted to be
 * empty may be absent: API servers leave it out. A list has no other items than the wanted ones.
 */
export function covers(actual: unknown, wanted: unknown): boolean {
  if (wanted === undefined) return true;
  if (typeof wanted === 'string') return actual === digestText(wanted);
  if (Array.isArray(wanted)) return coversList(actual, wanted);
  if (!isJsonObject(wanted)) return actual === wanted || (wanted === null && actual === undefined);
  const members = Object.entries(wanted);
  if (actual === undefined || actual === null) return members.every(([, one]) => one === undefined);
  return (
    isJsonObject(actual) && members.every(([key, member]) => covers(ownMember(actual, key), member))
  );
}

function coversList(actual: unknown, wanted: readonly unknown[]): boolean {
  if (actual === undefined || actual === null) return wanted.length === 0;
  return (
    Array.isArray(actual) &&
    actual.length === wanted.length &&
    wanted.every((item, index) => covers(actual[index], item))
  );
}

/**
 * Whether a field set of server-side apply names a field that is not wanted any more: the server removes it when the wanted
 * object is applied. Lists are not looked into: `covers` compares them as a whole.
 */
export function ownsMore(fields: unknown, wanted: unknown): boolean {
  if (!isJsonObject(fields)) return false;
  return Object.entries(fields).some(([path, inner]) => {
    if (!path.startsWith('f:')) return false;
    const member = isJsonObject(wanted) ? ownMember(wanted, path.slice(2)) : undefined;
    return member === undefined || ownsMore(inner, member);
  });
}
