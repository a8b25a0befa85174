import type { Field, FieldTable } from './field-table.ts';
import { specialMessages, textOf } from './special-messages.ts';
import { readWire, WireError, type WireField } from './wire-reader.ts';

type Members = Record<string, unknown>;
type WireValue = WireField['value'];

/**
 * The JSON form of a message. What is in the message is in the object, empty or not: whoever reads it as a type knows
 * which empty values count as absent. Fields that the table does not have are left out.
 */
export function decodeMessage(table: FieldTable, name: string, bytes: Uint8Array): Members {
  const fields = table.messages[name];
  if (!fields) throw new WireError(`Cannot decode message "${name}": nobody knows its fields`);
  const members: Members = {};
  for (const { number, value } of readWire(bytes)) {
    const field = fields[number];
    if (field) addMember(table, members, field, value);
  }
  return members;
}

function addMember(table: FieldTable, members: Members, field: Field, value: WireValue): void {
  const [name, type, form] = field;
  if (form === 'map') {
    members[name] = addEntry(members[name], decodeEntry(table, type, bytesOf(value)));
    return;
  }
  const decoded = decodeValue(table, type, value);
  if (form === 'embedded') Object.assign(members, decoded);
  else if (form === 'list') members[name] = addItem(members[name], decoded);
  else if (decoded !== undefined) members[name] = decoded;
}

function addItem(list: unknown, item: unknown): unknown[] {
  const items = Array.isArray(list) ? list : [];
  items.push(item);
  return items;
}

function addEntry(map: unknown, [key, value]: [string, unknown]): unknown {
  return Object.defineProperty(map ?? {}, key, { value, ...ordinary });
}

/** A key may be called `__proto__`, and is then nothing special. */
const ordinary = { enumerable: true, writable: true, configurable: true };

function decodeEntry(table: FieldTable, type: string, bytes: Uint8Array): [string, unknown] {
  let key = '';
  let member = emptyValue(table, type);
  for (const { number, value } of readWire(bytes)) {
    if (number === 1) key = textOf(value);
    if (number === 2) member = decodeValue(table, type, value);
  }
  return [key, member];
}

/** An entry without a value has the empty one. */
function emptyValue(table: FieldTable, type: string): unknown {
  return decodeValue(table, type, new Uint8Array());
}

function decodeValue(table: FieldTable, type: string, value: WireValue): unknown {
  switch (type) {
    case 'string':
      return textOf(value);
    case 'bytes':
      return Buffer.from(bytesOf(value)).toString('base64');
    case 'bool':
      return value === 1n;
    case 'int32':
    case 'int64':
      return Number(value);
    default:
      return specialMessages[type]?.(bytesOf(value)) ?? decodeMessageOrNothing(table, type, value);
  }
}

function decodeMessageOrNothing(table: FieldTable, type: string, value: WireValue): unknown {
  return type in specialMessages ? undefined : decodeMessage(table, type, bytesOf(value));
}

function bytesOf(value: WireValue): Uint8Array {
  if (value instanceof Uint8Array) return value;
  throw new WireError('Cannot read bytes: the field has a number');
}
