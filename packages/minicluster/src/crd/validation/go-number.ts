/** A number as the real server prints it (Go's `%v`): `3`, `0.25`, `1e+06`. Whole numbers are printed as integers. */
export function printNumber(value: number): string {
  return Number.isSafeInteger(value) ? String(value) : printFloat(value);
}

/** As `printNumber` for a number that the server keeps as a float, however whole it is. */
export function printFloat(value: number): string {
  if (value === 0) return '0';
  const [mantissa = '', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(value);
  const digits = String(Math.abs(power)).padStart(2, '0');
  return `${mantissa}e${power < 0 ? '-' : '+'}${digits}`;
}
