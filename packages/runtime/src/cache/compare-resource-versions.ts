/** A version without a leading zero: `0` means "any" in requests and is never the version of an object. */
const ordered = /^[1-9]\d*$/;

/**
 * Orders two resourceVersions of one resource type: negative when `a` is older, positive when it is newer, zero when they
 * are the same, and undefined when it cannot be told.
 *
 * Kubernetes promises since 1.35 (KEP-5504) that they are decimal numbers which grow; before, every server in the field
 * behaved so without the promise. They may exceed what a `number` holds. Something else than a number can only be the
 * same or not.
 */
export function compareResourceVersions(a: string, b: string): number | undefined {
  if (a === b) return 0;
  if (!ordered.test(a) || !ordered.test(b)) return undefined;
  return a.length - b.length || (a < b ? -1 : 1);
}
