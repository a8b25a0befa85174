import { compareQuantities, parseQuantity } from '@liqo/kube';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Amounts, addAmounts, noAmounts, readAmounts } from './amounts.ts';
import { type Charge, Ledger } from './ledger.ts';

const amounts = fc
  .dictionary(fc.constantFrom('cpu', 'memory'), fc.integer({ min: 0, max: 9_999 }))
  .map((list) =>
    readAmounts(Object.fromEntries(Object.entries(list).map(([k, v]) => [k, `${v}m`]))),
  );

const charges: fc.Arbitrary<Charge> = fc.record({
  tenant: fc.constantFrom('rome', 'paris'),
  creator: fc.constantFrom('a', 'b', undefined),
  demand: amounts,
});

const changes = fc.array(
  fc.record({
    key: fc.constantFrom('p', 'q', 'r', 's'),
    charge: fc.option(charges, { nil: undefined }),
  }),
);

function isEqual(a: Amounts, b: Amounts): boolean {
  const zero = parseQuantity('0');
  return [...a.keys(), ...b.keys()].every(
    (name) => compareQuantities(a.get(name) ?? zero, b.get(name) ?? zero) === 0,
  );
}

test('Ledger shows the sum of what is charged last under each key, after any changes', () => {
  fc.assert(
    fc.property(changes, (sequence) => {
      const ledger = new Ledger();
      const last = new Map<string, Charge>();
      for (const { key, charge } of sequence) {
        ledger.set(key, charge);
        if (charge) last.set(key, charge);
        else last.delete(key);
      }
      for (const tenant of ['rome', 'paris']) {
        for (const creator of ['a', 'b', undefined]) {
          const left = [...last.values()].filter(
            (one) => one.tenant === tenant && one.creator === creator,
          );
          const sum = left.map(({ demand }) => demand).reduce(addAmounts, noAmounts);
          const used = ledger.used(tenant, creator);
          expect(isEqual(used, sum)).toBe(true);
          expect([...used.values()].every(({ mantissa }) => mantissa > 0n)).toBe(true);
        }
      }
    }),
  );
});

test('Ledger does not depend on the order in which pods are charged', () => {
  const pairs = fc.uniqueArray(fc.tuple(fc.string(), charges), { selector: ([key]) => key });
  fc.assert(
    fc.property(
      pairs.chain((one) => fc.tuple(fc.constant(one), shuffled(one))),
      ([one, other]) => {
        const ledgers = [one, other].map((sequence) => {
          const ledger = new Ledger();
          for (const [key, charge] of sequence) ledger.set(key, charge);
          return ledger;
        });
        const [first, second] = ledgers.map((ledger) => ledger.used('rome', 'a'));
        expect(isEqual(first ?? noAmounts, second ?? noAmounts)).toBe(true);
      },
    ),
  );
});

function shuffled<T>(items: readonly T[]): fc.Arbitrary<T[]> {
  return fc.shuffledSubarray([...items], { minLength: items.length, maxLength: items.length });
}
