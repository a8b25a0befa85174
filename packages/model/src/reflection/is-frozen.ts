import { covers } from './compare-reflected.ts';

interface Data {
  readonly data?: object;
  readonly binaryData?: object;
  readonly immutable?: boolean;
}

/** Whether a copy is immutable and not as it is wanted: immutable data changes only in a new object. */
export function isFrozen(wanted: Data, remote: Data): boolean {
  if (remote.immutable !== true) return false;
  const { data, binaryData, immutable = false } = wanted;
  const isSame = covers(remote, { data, binaryData, immutable });
  return !isSame || hasMore(remote.data, data) || hasMore(remote.binaryData, binaryData);
}

function hasMore(actual: object = {}, wanted: object = {}): boolean {
  return Object.keys(actual).length > Object.keys(wanted).length;
}
