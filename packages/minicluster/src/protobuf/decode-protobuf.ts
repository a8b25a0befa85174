import { decodeMessage } from './decode-message.ts';
import { type FieldTable, fieldTable } from './field-table.ts';
import { textOf } from './special-messages.ts';
import { readWire, WireError } from './wire-reader.ts';

/** Every protobuf body of Kubernetes opens with `k8s` and a zero byte. */
const prefix = [0x6b, 0x38, 0x73, 0x00];

/** The message around every object (`runtime.Unknown` of apimachinery): what it is, and its own message. */
const envelope = { typeMeta: 1, raw: 2 } as const;
const typeMeta = { apiVersion: 1, kind: 2 } as const;

/** The object in a protobuf body, as its JSON would be. Throws a `WireError` when there is none that is known. */
export function decodeProtobuf(bytes: Uint8Array): Record<string, unknown> {
  if (!prefix.every((byte, i) => bytes[i] === byte)) {
    throw new WireError('Cannot decode protobuf: the prefix of Kubernetes is missing');
  }
  const outer = byNumber(bytes.subarray(prefix.length));
  const type = byNumber(outer.get(envelope.typeMeta) ?? new Uint8Array());
  const apiVersion = textOf(type.get(typeMeta.apiVersion));
  const kind = textOf(type.get(typeMeta.kind));
  const table = fieldTable();
  const message = messageOf(table, apiVersion, kind);
  const raw = outer.get(envelope.raw) ?? new Uint8Array();
  return { kind, apiVersion, ...decodeMessage(table, message, raw) };
}

function byNumber(bytes: Uint8Array): Map<number, Uint8Array> {
  const fields = new Map<number, Uint8Array>();
  for (const { number, value } of readWire(bytes)) {
    if (value instanceof Uint8Array) fields.set(number, value);
  }
  return fields;
}

function messageOf(table: FieldTable, apiVersion: string, kind: string): string {
  const message = table.kinds[`${apiVersion} ${kind}`];
  if (message) return message;
  throw new WireError(`Cannot decode kind "${kind}" of "${apiVersion}": nobody knows its fields`);
}
