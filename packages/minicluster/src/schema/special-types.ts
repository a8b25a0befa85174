import { formatQuantity, parseQuantity } from '@liqo/kube';
import { DecodeError } from './decode-error.ts';
import { canonicalTime, microsLayout, secondsLayout, type TimeLayout } from './go-time.ts';
import { jsonTypeOf } from './go-type.ts';

/** A type with a reader and writer of its own in the server. */
export interface SpecialType {
  /** What is written of a value that is not null. `refuse` throws: the value cannot be a Go value of that type. */
  decode(value: unknown, refuse: Refusal): unknown;
  /** What is written when nothing was set and the field is not a pointer. */
  readonly zero: unknown;
}

/** Throws; `number` is the literal where Go's message shows it. */
type Refusal = (jsonType: string, goType: string) => never;

const quantity: SpecialType = { decode: decodeQuantity, zero: '0' };
const intOrString: SpecialType = { decode: decodeIntOrString, zero: 0 };
const free: SpecialType = { decode: (value) => value, zero: null };

/** By the name of the definition. */
export const specialTypes: ReadonlyMap<string, SpecialType> = new Map([
  ['io.k8s.apimachinery.pkg.api.resource.Quantity', quantity],
  ['io.k8s.apimachinery.pkg.util.intstr.IntOrString', intOrString],
  ['io.k8s.apimachinery.pkg.apis.meta.v1.Time', timeType(secondsLayout)],
  ['io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime', timeType(microsLayout)],
  ['io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1', free],
  ['io.k8s.apimachinery.pkg.runtime.RawExtension', free],
  ['io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON', free],
]);

function timeType(layout: TimeLayout): SpecialType {
  return {
    decode: (value, refuse) =>
      typeof value === 'string'
        ? canonicalTime(value, layout)
        : refuse(jsonTypeOf(value), 'string'),
    zero: null,
  };
}

const quantityPattern = /^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$/;
const bareSuffix = /^[+-]?(?:[numkMGTPE]|[KMGTPE]i)$/;
const quantitySuffix = /^(?:[numkMGTPE]?|[KMGTPE]i|[eE][+-]?[0-9]+)$/;

function decodeQuantity(value: unknown): string {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  if (bareSuffix.test(text)) return '0';
  const [, , suffix] = quantityPattern.exec(text) ?? [];
  if (suffix !== undefined && !quantitySuffix.test(suffix)) {
    throw new DecodeError("unable to parse quantity's suffix");
  }
  try {
    return formatQuantity(parseQuantity(text));
  } catch (cause) {
    const message = `quantities must match the regular expression '${quantityPattern.source}'`;
    throw new DecodeError(message, { cause });
  }
}

function decodeIntOrString(value: unknown, refuse: Refusal): unknown {
  if (typeof value === 'string') return value;
  if (typeof value !== 'number') return refuse(jsonTypeOf(value), 'int32');
  return isInt32(value) ? value : refuse(`number ${value}`, 'int32');
}

function isInt32(value: number): boolean {
  return Number.isInteger(value) && value >= -(2 ** 31) && value < 2 ** 31;
}
