import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatQuantity } from './format-quantity.ts';
import { parseQuantity } from './parse-quantity.ts';
import {
  addQuantities,
  compareQuantities,
  multiplyByRatio,
  negateQuantity,
  type Quantity,
  quantityOf,
  quantityValue,
  roundQuantityDown,
  roundQuantityUp,
  subtractQuantities,
} from './quantity.ts';

const quantities = fc
  .record({
    value: fc.oneof(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n }), fc.maxSafeInteger()),
    scale: fc.integer({ min: -9, max: 21 }),
    format: fc.constantFrom('BinarySI', 'DecimalExponent', 'DecimalSI'),
  })
  .map(({ value, scale, format }) => quantityOf(value, { scale, format }));

/** Binary quantities are cut at 2^63-1 when they are read. */
const readable = quantities.filter(
  (quantity) => quantity.format !== 'BinarySI' || abs(quantityValue(quantity)) < 2n ** 63n,
);

const factors = fc.integer({ min: 0, max: 1000 });

test('a quantity survives being written and read', () => {
  fc.assert(
    fc.property(readable, (quantity) => {
      expect(same(parseQuantity(formatQuantity(quantity)), quantity)).toBe(true);
    }),
  );
});

test('a decimal quantity is written as it was read', () => {
  fc.assert(
    fc.property(readable, (quantity) => {
      fc.pre(quantity.format !== 'BinarySI');
      const text = formatQuantity(quantity);
      expect(formatQuantity(parseQuantity(text))).toBe(text);
    }),
  );
});

test('addQuantities() is commutative and associative in value', () => {
  fc.assert(
    fc.property(quantities, quantities, quantities, (a, b, c) => {
      expect(same(addQuantities(a, b), addQuantities(b, a))).toBe(true);
      const left = addQuantities(addQuantities(a, b), c);
      expect(same(left, addQuantities(a, addQuantities(b, c)))).toBe(true);
    }),
  );
});

test('subtractQuantities() undoes addQuantities()', () => {
  fc.assert(
    fc.property(quantities, quantities, (a, b) => {
      expect(same(subtractQuantities(addQuantities(a, b), b), a)).toBe(true);
      expect(quantityValue(addQuantities(a, negateQuantity(a)))).toBe(0n);
    }),
  );
});

test('compareQuantities() is a total order that addition keeps', () => {
  fc.assert(
    fc.property(quantities, quantities, quantities, (a, b, c) => {
      const order = compareQuantities(a, b);
      expect(compareQuantities(b, a)).toBe(order === 0 ? 0 : -order);
      expect(compareQuantities(a, a)).toBe(0);
      if (order <= 0 && compareQuantities(b, c) <= 0) {
        expect(compareQuantities(a, c)).toBeLessThanOrEqual(0);
      }
      expect(compareQuantities(addQuantities(a, c), addQuantities(b, c))).toBe(order);
    }),
  );
});

test('the shares of multiplyByRatio() never exceed the whole, and miss less than a nano each', () => {
  fc.assert(
    fc.property(quantities, factors, factors, (quantity, part, rest) => {
      fc.pre(part + rest > 0 && quantity.mantissa >= 0n);
      const shares = [part, rest].map((n) => multiplyByRatio(quantity, n, part + rest));
      const total = shares.reduce(addQuantities, quantityOf(0));
      const missing = subtractQuantities(quantity, total);
      expect(compareQuantities(missing, quantityOf(0))).toBeGreaterThanOrEqual(0);
      expect(compareQuantities(missing, quantityOf(2, { scale: -9 }))).toBeLessThan(0);
    }),
  );
});

test('rounding encloses the quantity by less than one step', () => {
  fc.assert(
    fc.property(quantities, fc.integer({ min: -9, max: 6 }), (quantity, scale) => {
      fc.pre(quantity.mantissa >= 0n);
      const [up, down] = [roundQuantityUp(quantity, scale), roundQuantityDown(quantity, scale)];
      expect(compareQuantities(down, quantity)).toBeLessThanOrEqual(0);
      expect(compareQuantities(quantity, up)).toBeLessThanOrEqual(0);
      const gap = subtractQuantities(up, down);
      expect(compareQuantities(gap, quantityOf(1, { scale }))).toBeLessThanOrEqual(0);
    }),
  );
});

function same(a: Quantity, b: Quantity): boolean {
  return compareQuantities(a, b) === 0;
}

function abs(value: bigint): bigint {
  return value < 0n ? -value : value;
}
