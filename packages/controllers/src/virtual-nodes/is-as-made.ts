import { compareQuantities, isJsonObject, ownMember, parseQuantity } from '@liqo/kube';

/**
 * Whether an object still says everything that it was made to say. A server adds defaults, leaves out what is empty and
 * writes quantities its own way; none of that counts as a change.
 */
export function isAsMade(actual: unknown, wanted: unknown): boolean {
  if (isOmitted(wanted)) return isOmitted(actual);
  if (Array.isArray(wanted)) return isListAsMade(actual ?? [], wanted);
  if (isJsonObject(wanted)) {
    const known = isJsonObject(actual) ? actual : {};
    return Object.entries(wanted).every(([key, value]) => {
      const found = ownMember(known, key);
      return sharedLists.has(key) ? isWithin(found, value) : isAsMade(found, value);
    });
  }
  return actual === wanted || isSameQuantity(actual, wanted);
}

/** Lists of named things to which others may add theirs: a server keeps those apart from ours. */
const sharedLists = new Set(['containers', 'env', 'initContainers', 'volumeMounts', 'volumes']);

function isWithin(actual: unknown, wanted: unknown): boolean {
  const [there, ours] = [actual, wanted].map((list) => (Array.isArray(list) ? list : []));
  const nameOf = (item: unknown) => (isJsonObject(item) ? item.name : undefined);
  return (ours ?? []).every((item) =>
    (there ?? []).some((one) => nameOf(one) === nameOf(item) && isAsMade(one, item)),
  );
}

function isListAsMade(actual: unknown, wanted: readonly unknown[]): boolean {
  if (!Array.isArray(actual) || actual.length !== wanted.length) return false;
  return wanted.every((item, index) => isAsMade(actual[index], item));
}

/** What a server may leave out. */
function isOmitted(value: unknown): boolean {
  return value === undefined || value === null || value === '' || value === false;
}

function isSameQuantity(one: unknown, other: unknown): boolean {
  try {
    return compareQuantities(parseQuantity(String(one)), parseQuantity(String(other))) === 0;
  } catch {
    // Not quantities, and not the same.
    return false;
  }
}
