import { oneLine, type ResourceList } from '@liqo/kube';
import { readUnits, type Units, writeUnits } from './units.ts';

/** A slice that waits for a share. */
export interface Request {
  /** `namespace/name` of the slice. */
  readonly key: string;
  /** The cluster ID of the consumer. */
  readonly consumer: string;
  /** What the slice asks for; as much as possible of what is not named. */
  readonly resources: ResourceList;
}

export type Decision =
  | { readonly type: 'deny'; readonly message: string }
  | {
      readonly type: 'grant';
      readonly resources: Readonly<Record<string, string>>;
      /** How the figures came about. */
      readonly message: string;
    };

/** Without one of these no pod can run. */
const required = ['cpu', 'memory', 'pods'] as const;

/**
 * The function to change: what each slice of this class is granted of what is free. Pure, and the same for the same arguments, so
 * that a test is a table.
 *
 * Here: each resource is divided evenly among the consumers, however many slices each has; what a consumer does not ask for is
 * divided among the others; the share of a consumer is divided evenly among its slices in the same way. The sum is never more
 * than what is free.
 */
export function share(
  free: ResourceList,
  requests: readonly Request[],
): ReadonlyMap<string, Decision> {
  const capacity = readUnits(free);
  const names = new Set([...required, ...requests.flatMap((one) => Object.keys(one.resources))]);
  const shares = new Map<string, Units>();
  for (const name of names) {
    for (const [key, amount] of divideResource(name, capacity.get(name) ?? 0n, requests)) {
      shares.set(key, new Map([...(shares.get(key) ?? []), [name, amount]]));
    }
  }
  const consumers = new Set(requests.map(({ consumer }) => consumer)).size;
  return new Map(
    requests.map((request) => {
      const own = shares.get(request.key) ?? new Map();
      return [request.key, decide(request, { own, capacity, consumers })];
    }),
  );
}

function divideResource(
  name: string,
  free: bigint,
  requests: readonly Request[],
): readonly (readonly [key: string, amount: bigint])[] {
  const wanted = (request: Request) => wantedOf(request, name) ?? free;
  const consumers = [...new Set(requests.map(({ consumer }) => consumer))];
  const groups = consumers.map((consumer) => requests.filter((one) => one.consumer === consumer));
  const totals = divide(
    free,
    groups.map((group) => sum(group.map(wanted))),
  );
  return groups.flatMap((group, index) => {
    const amounts = divide(totals[index] ?? 0n, group.map(wanted));
    return group.map(({ key }, position) => [key, amounts[position] ?? 0n] as const);
  });
}

/** Undefined where nothing is said: as much as possible of what every pod needs, none of anything else. */
function wantedOf({ resources }: Request, name: string): bigint | undefined {
  const asked = readUnits(resources).get(name);
  if (asked !== undefined) return asked;
  return required.some((one) => one === name) ? undefined : 0n;
}

/** Evenly, but no part is more than what is wanted; what one does not want goes to the others. */
export function divide(total: bigint, wanted: readonly bigint[]): readonly bigint[] {
  const inOrder = wanted
    .map((amount, index) => ({ amount, index }))
    .toSorted(
      (one, other) => Number(one.amount > other.amount) - Number(one.amount < other.amount),
    );
  const parts = wanted.map(() => 0n);
  let left = total;
  for (const [position, { amount, index }] of inOrder.entries()) {
    const even = left / BigInt(inOrder.length - position);
    const part = amount < even ? amount : even;
    parts[index] = part;
    left -= part;
  }
  return parts;
}

interface Shares {
  readonly own: Units;
  readonly capacity: Units;
  readonly consumers: number;
}

function decide(request: Request, { own, capacity, consumers }: Shares): Decision {
  const among = consumers === 1 ? '1 consumer' : `${consumers} consumers`;
  const none = required.find((name) => (own.get(name) ?? 0n) === 0n);
  if (none !== undefined) {
    const free = writeUnits(none, capacity.get(none) ?? 0n);
    const message = `there is no ${none} for this slice: ${free} free, divided among ${among}`;
    return { type: 'deny', message };
  }
  const granted = [...own].filter(([, amount]) => amount > 0n);
  const facts = [...own].map(([name, amount]) => {
    const of = `${writeUnits(name, amount)} of ${writeUnits(name, capacity.get(name) ?? 0n)} free`;
    return `${name} ${of} (${describeWish(request, name)})`;
  });
  return {
    type: 'grant',
    resources: Object.fromEntries(
      granted.map(([name, amount]) => [name, writeUnits(name, amount)]),
    ),
    message: oneLine(`divided among ${among}: ${facts.join(', ')}`),
  };
}

function describeWish({ resources }: Request, name: string): string {
  const asked = readUnits(resources).get(name);
  return asked === undefined ? 'as much as possible' : `${writeUnits(name, asked)} asked for`;
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}
