import { readWire, type WireField } from './wire-reader.ts';

/** What JSON does not write as an object of the message's fields. Undefined is what JSON leaves out. */
export const specialMessages: Readonly<Record<string, (bytes: Uint8Array) => unknown>> = {
  'k8s.io.api.authentication.v1.ExtraValue': listOfStrings,
  'k8s.io.api.authorization.v1.ExtraValue': listOfStrings,
  'k8s.io.api.certificates.v1.ExtraValue': listOfStrings,
  'k8s.io.apimachinery.pkg.api.resource.Quantity': (bytes) => textOf(fieldOf(bytes, 1)) || '0',
  'k8s.io.apimachinery.pkg.apis.meta.v1.FieldsV1': rawJson,
  'k8s.io.apimachinery.pkg.apis.meta.v1.MicroTime': (bytes) => instant(bytes, microseconds),
  'k8s.io.apimachinery.pkg.apis.meta.v1.Time': (bytes) => instant(bytes, () => ''),
  'k8s.io.apimachinery.pkg.runtime.RawExtension': rawJson,
  'k8s.io.apimachinery.pkg.util.intstr.IntOrString': intOrString,
};

export function textOf(value: WireField['value'] | undefined): string {
  return value instanceof Uint8Array ? new TextDecoder().decode(value) : '';
}

function fieldOf(bytes: Uint8Array, wanted: number): WireField['value'] | undefined {
  return [...readWire(bytes)].findLast(({ number }) => number === wanted)?.value;
}

function numberOf(bytes: Uint8Array, wanted: number): number {
  const value = fieldOf(bytes, wanted);
  return typeof value === 'bigint' ? Number(value) : 0;
}

function listOfStrings(bytes: Uint8Array): string[] {
  return [...readWire(bytes)]
    .filter(({ number }) => number === 1)
    .map(({ value }) => textOf(value));
}

function rawJson(bytes: Uint8Array): unknown {
  const text = textOf(fieldOf(bytes, 1));
  return text ? JSON.parse(text) : undefined;
}

/** A time that nobody set is sent as an empty message. */
function instant(bytes: Uint8Array, fraction: (nanos: number) => string): string | undefined {
  const [seconds, nanos] = [numberOf(bytes, 1), numberOf(bytes, 2)];
  if (seconds === 0 && nanos === 0) return undefined;
  return new Date(seconds * 1000).toISOString().replace('.000Z', `${fraction(nanos)}Z`);
}

function microseconds(nanos: number): string {
  return `.${String(Math.floor(nanos / 1000)).padStart(6, '0')}`;
}

function intOrString(bytes: Uint8Array): number | string {
  const isString = numberOf(bytes, 1) === 1;
  return isString ? textOf(fieldOf(bytes, 3)) : numberOf(bytes, 2);
}
