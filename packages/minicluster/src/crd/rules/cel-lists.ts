import type { Environment } from '@marcbachmann/cel-js';
import { celFault } from './cel-fault.ts';

type Scalar = bigint | number | string | boolean | Date;
type List = readonly Scalar[] | ReadonlySet<Scalar>;

/** The functions of lists that the language itself does not have. */
export function registerLists(environment: Environment): void {
  environment
    .registerFunction('list.isSorted(): bool', isSorted)
    .registerFunction('list.sum(): dyn', sum)
    .registerFunction('list.min(): dyn', (list) => extreme(list, 'min', (a, b) => a < b))
    .registerFunction('list.max(): dyn', (list) => extreme(list, 'max', (a, b) => a > b))
    .registerFunction('list.indexOf(dyn): int', (list, item) => BigInt([...list].indexOf(item)))
    .registerFunction('list.lastIndexOf(dyn): int', (list, item) =>
      BigInt([...list].lastIndexOf(item)),
    );
}

function isSorted(list: List): boolean {
  const items = [...list];
  return items.every((item, index) => index === 0 || (items[index - 1] as Scalar) <= item);
}

function sum(list: List): bigint | number {
  const items = [...list];
  if (items.every((item) => typeof item === 'bigint')) return items.reduce((a, b) => a + b, 0n);
  return items.reduce<number>((total, item) => total + Number(item), 0);
}

function extreme(list: List, name: string, isBetter: (a: Scalar, b: Scalar) => boolean): Scalar {
  const [first, ...others] = [...list];
  if (first === undefined) throw celFault(`${name} called on empty list`);
  return others.reduce((best, item) => (isBetter(item, best) ? item : best), first);
}
