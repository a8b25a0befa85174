import {
  formatQuantity,
  parseQuantity,
  quantityMilliValue,
  quantityValue,
  type ResourceList,
  roundQuantityDown,
} from '@liqo/kube';

/** Whole amounts by resource, in the unit that the resource is divided in. */
export type Units = ReadonlyMap<string, bigint>;

const mebibyte = 1024n * 1024n;

/** Amounts below zero, as where more is in use than there is, count as zero. Rounded down: nothing is granted twice. */
export function readUnits(list: ResourceList): Units {
  return new Map(
    Object.entries(list).map(([name, amount]) => [name, unitsOf(name, String(amount))] as const),
  );
}

export function writeUnits(name: string, units: bigint): string {
  return formatQuantity(parseQuantity(`${units}${suffixOf(name)}`));
}

function unitsOf(name: string, text: string): bigint {
  const quantity = parseQuantity(text);
  if (quantity.mantissa < 0n) return 0n;
  switch (suffixOf(name)) {
    case 'm':
      return quantityMilliValue(roundQuantityDown(quantity, -3));
    case 'Mi':
      return quantityValue(roundQuantityDown(quantity, 0)) / mebibyte;
    default:
      return quantityValue(roundQuantityDown(quantity, 0));
  }
}

function suffixOf(name: string): 'Mi' | 'm' | '' {
  if (name === 'cpu') return 'm';
  return name === 'memory' || name === 'ephemeral-storage' ? 'Mi' : '';
}
