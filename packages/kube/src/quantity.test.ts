import { expect, test } from 'vitest';
import { formatQuantity } from './format-quantity.ts';
import { parseQuantity, QuantityError } from './parse-quantity.ts';
import {
  addQuantities,
  compareQuantities,
  isZeroQuantity,
  MILLI,
  maxQuantity,
  minQuantity,
  multiplyByRatio,
  negateQuantity,
  quantityMilliValue,
  quantityOf,
  quantityValue,
  roundQuantityDown,
  roundQuantityUp,
  subtractQuantities,
} from './quantity.ts';
// What apimachinery v0.35.4 answers, for spellings chosen by hand and at random.
import vectors from './quantity.vectors.json' with { type: 'json' };

test('parseQuantity() and formatQuantity() agree with the API server', () => {
  const ours = vectors.parse.map(([text = '']) => {
    const quantity = parseQuantity(text);
    return [text, formatQuantity(quantity), quantity.format];
  });
  expect(ours).toEqual(vectors.parse);
});

test.each(vectors.refuse)('parseQuantity() refuses %j as the API server does', (text) => {
  expect(() => parseQuantity(text)).toThrow(QuantityError);
});

test('sums, differences and order agree with the API server', () => {
  const ours = vectors.arithmetic.map(([left, right]) => {
    const [a, b] = [parseQuantity(String(left)), parseQuantity(String(right))];
    const sum = formatQuantity(addQuantities(a, b));
    return [left, right, sum, formatQuantity(subtractQuantities(a, b)), compareQuantities(a, b)];
  });
  expect(ours).toEqual(vectors.arithmetic);
});

test('quantityValue() and quantityMilliValue() agree with the API server', () => {
  const ours = vectors.whole.map(([text = '']) => {
    const quantity = parseQuantity(text);
    return [text, `${quantityValue(quantity)}`, `${quantityMilliValue(quantity)}`];
  });
  expect(ours).toEqual(vectors.whole);
});

test('multiplyByRatio() by a whole number agrees with the API server', () => {
  const ours = vectors.multiply.map(([text, factor]) => {
    const product = multiplyByRatio(parseQuantity(String(text)), Number(factor));
    return [text, factor, formatQuantity(product)];
  });
  expect(ours).toEqual(vectors.multiply);
});

test.each([
  ['', 'Cannot parse quantity "": it does not start with a number'],
  ['lots', 'Cannot parse quantity "lots": it does not start with a number'],
  ['m', 'Cannot parse quantity "m": it does not start with a number'],
  [
    '1GB',
    'Cannot parse quantity "1GB": "GB" is not a suffix (use n, u, m, k, M, G, T, P, E, Ki, Mi, Gi, Ti, Pi, Ei, or an exponent such as e3)',
  ],
  ['1e2000', 'Cannot parse quantity "1e2000": the exponent "e2000" is beyond ±1000'],
  ['1e-2000', 'Cannot parse quantity "1e-2000": the exponent "e-2000" is beyond ±1000'],
])('parseQuantity() says what is wrong with %j', (text, message) => {
  expect(() => parseQuantity(text)).toThrow(new QuantityError(message));
});

test.each([
  [2, '2'],
  [1.5, '1500m'],
  [0.1, '100m'],
  [1e21, '1e+21'],
])('parseQuantity() reads the JSON number %d', (number, text) => {
  expect(formatQuantity(parseQuantity(number))).toBe(text);
});

test('parseQuantity() refuses a number that is none', () => {
  expect(() => parseQuantity(Number.NaN)).toThrow('Cannot parse quantity "NaN"');
});

test('parseQuantity() reads a hundred thousand digits in no time', () => {
  const digits = '0'.repeat(100_000);
  expect(formatQuantity(parseQuantity(`1.${digits}1`))).toBe('1000000001n');
  expect(() => parseQuantity(`${digits}x`)).toThrow(QuantityError);
});

test('parseQuantity() takes exponents up to a thousand', () => {
  expect(formatQuantity(parseQuantity('2e1000'))).toBe('20e999');
  expect(formatQuantity(parseQuantity('2e-1000'))).toBe('1e-9');
});

test('formatQuantity() keeps what is beyond the largest suffix', () => {
  expect(formatQuantity(parseQuantity('1000E'))).toBe('1000E');
  const huge = multiplyByRatio(parseQuantity('4Ei'), 512);
  expect(formatQuantity(huge)).toBe('2048Ei');
});

test.each([
  ['1Gi', 1, 2, '512Mi'],
  ['1', 1, 3, '333333333n'],
  ['-1', 1, 3, '-333333333n'],
  ['3', 2, 3, '2'],
  ['100m', 30, 100, '30m'],
  ['1n', 1, 2, '0'],
  ['7', 0, 5, '0'],
])('multiplyByRatio() makes %s × %d/%d into %s', (text, numerator, denominator, expected) => {
  const share = multiplyByRatio(parseQuantity(text), numerator, denominator);
  expect(formatQuantity(share)).toBe(expected);
});

test('multiplyByRatio() takes no fractions and no zero denominator', () => {
  expect(() => multiplyByRatio(quantityOf(1), 0.5)).toThrow(RangeError);
  expect(() => multiplyByRatio(quantityOf(1), 1, 0)).toThrow(RangeError);
});

test.each([
  ['1.2345', MILLI, '1235m', '1234m'],
  ['-1.2345', MILLI, '-1235m', '-1234m'],
  ['1500m', 0, '2', '1'],
  ['1', MILLI, '1', '1'],
  ['1100', 3, '2k', '1k'],
])('rounding %s to 10^%d gives %s upwards and %s downwards', (text, scale, up, down) => {
  const quantity = parseQuantity(text);
  expect(formatQuantity(roundQuantityUp(quantity, scale))).toBe(up);
  expect(formatQuantity(roundQuantityDown(quantity, scale))).toBe(down);
});

test('quantityValue() rounds away from zero on both sides, and goes beyond 64 bits', () => {
  expect(quantityValue(parseQuantity('0.1'))).toBe(1n);
  expect(quantityValue(parseQuantity('-0.1'))).toBe(-1n);
  expect(quantityValue(parseQuantity('1e20'))).toBe(10n ** 20n);
});

test('quantityOf() makes quantities of every family', () => {
  expect(formatQuantity(quantityOf(2048, { format: 'BinarySI' }))).toBe('2Ki');
  expect(formatQuantity(quantityOf(2000n))).toBe('2k');
  expect(formatQuantity(quantityOf(2000, { format: 'DecimalExponent' }))).toBe('2e3');
  expect(formatQuantity(quantityOf(1500, { scale: MILLI }))).toBe('1500m');
  expect(formatQuantity(quantityOf(1, { scale: -12 }))).toBe('1n');
});

test('arithmetic forgets how its operands were spelled', () => {
  const spelled = parseQuantity('+1.500');
  expect(formatQuantity(spelled)).toBe('+1.500');
  expect(formatQuantity(addQuantities(spelled, quantityOf(0)))).toBe('1500m');
  expect(formatQuantity(negateQuantity(negateQuantity(spelled)))).toBe('1500m');
});

test('minQuantity() and maxQuantity() return one of the two, the first if they are equal', () => {
  const [one, thousand, two] = [quantityOf(1), parseQuantity('1000m'), quantityOf(2)];
  expect(minQuantity(one, two)).toBe(one);
  expect(minQuantity(two, one)).toBe(one);
  expect(maxQuantity(one, two)).toBe(two);
  expect(maxQuantity(two, one)).toBe(two);
  expect(minQuantity(thousand, one)).toBe(thousand);
  expect(maxQuantity(thousand, one)).toBe(thousand);
});

test('isZeroQuantity() knows zero in every spelling', () => {
  for (const text of ['0', '-0', '0.000', '0Ki', '0e9']) {
    expect(isZeroQuantity(parseQuantity(text))).toBe(true);
  }
  expect(isZeroQuantity(parseQuantity('0.0000000000001'))).toBe(false);
});
