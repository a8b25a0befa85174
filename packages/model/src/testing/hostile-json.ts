import type { Json } from '@liqo/kube';

const long = 'x'.repeat(10_000);
const deep = Array.from({ length: 1_000 }).reduce<Json>((inner) => [inner], 'bottom');

/** What stands in the place of a value: of another type, too large, or with another meaning for whoever prints or stores it. */
export const hostileValues: readonly Json[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e300,
  2 ** 31,
  2 ** 53,
  '',
  long,
  deep,
  [],
  {},
  [[]],
  [null],
  [{}],
  [1, 'a', {}],
  Array.from({ length: 200 }, (_, nth) => ({ name: `c${nth}`, type: `T${nth}`, ip: '1.2.3.4' })),
  Object.fromEntries(Array.from({ length: 200 }, (_, nth) => [`key-${nth}`, long.slice(0, 9)])),
  JSON.parse('{"__proto__":{"polluted":true},"constructor":1,"toString":null}'),
  '\u001b[2J\u001b]0;title\u0007',
  'line\r\nbreak\u2028and\u202Eorder',
  '\ud800 alone',
  '\u0000',
  'kube-system',
  '../../secrets',
  '2026-01-01T00:00:00Z',
  '2026-01-01T00:00:00.5+01:00',
  '0000-00-00T99:99:99Z',
  'Running',
  'Succeeded',
  'Ready',
  'True',
  'offloading.liqo.io/Accepted',
  'offloading.liqo.io/AddressesAccepted',
  'DisruptionTarget',
  '127.0.0.1',
  '169.254.169.254',
  '10.96.0.1',
  '10.244.0.9',
  '192.168.0.7',
  '::1',
  '::ffff:10.96.0.1',
  '64:ff9b::a60:1',
  'fe80::1%eth0',
  '8.8.8.8',
  '2001:db8::1',
];

export const hostileKeys: readonly string[] = [
  '__proto__',
  'constructor',
  'tomorrow',
  'name',
  'message',
  '',
  long,
];

/** A value somewhere in an object; with a key, a member that may be new. */
export interface Change {
  readonly at: number;
  readonly key: string | undefined;
  readonly value: Json;
}

/** The object with some of its values replaced, and members added. */
export function spoil<T extends object>(object: T, changes: readonly Change[]): T {
  const spoilt = structuredClone(object);
  for (const change of changes) spoilOnce(spoilt, change);
  return spoilt;
}

function spoilOnce(object: object, { at, key, value }: Change): void {
  const holders = holdersIn(object);
  const holder = holders[at % holders.length];
  if (!holder) return;
  const members = Object.keys(holder);
  const known = members[Math.floor(at / holders.length) % Math.max(members.length, 1)] ?? '0';
  const name = Array.isArray(holder) ? known : (key ?? known);
  const member = {
    value: structuredClone(value),
    enumerable: true,
    writable: true,
    configurable: true,
  };
  Object.defineProperty(holder, name, member);
}

/** The objects and lists in the first members of each, as far as they are not too deep. */
function holdersIn(value: unknown, depth = 0, found: object[] = []): readonly object[] {
  if (typeof value !== 'object' || value === null || depth > 8) return found;
  found.push(value);
  let left = 20;
  for (const member of Object.values(value)) {
    left -= 1;
    if (left < 0) break;
    holdersIn(member, depth + 1, found);
  }
  return found;
}
