import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A field of a message as a `.proto` file declares it; the type of a map is that of its values. */
export interface ProtoField {
  readonly number: string;
  readonly name: string;
  /** A scalar such as `string`, or the full name of a message. */
  readonly type: string;
  readonly form: 'single' | 'list' | 'map';
}

export type ProtoMessages = ReadonlyMap<string, readonly ProtoField[]>;

const scalars = new Set(['string', 'bytes', 'bool', 'int32', 'int64']);
const fieldLine =
  /^(?:(?<label>optional|repeated) (?<type>\S+)|map<string, (?<valueType>\S+)>) (?<name>\w+) = (?<number>\d+);$/;

/** Every message of the `generated.proto` files below these folders, by full name. */
export function readProtoMessages(folders: readonly string[]): ProtoMessages {
  const messages = new Map<string, readonly ProtoField[]>();
  for (const file of folders.flatMap(protoFiles)) {
    for (const [name, fields] of parseProto(readFileSync(file, 'utf8'))) messages.set(name, fields);
  }
  return messages;
}

function protoFiles(folder: string): string[] {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return paths.filter((path) => path.endsWith('generated.proto')).map((path) => join(folder, path));
}

function parseProto(text: string): [name: string, fields: ProtoField[]][] {
  const [, scope = ''] = /^package (\S+);$/m.exec(text) ?? [];
  return text
    .split(/^message /m)
    .slice(1)
    .map((block) => {
      const [header = '', ...lines] = block.split('\n');
      return [`${scope}.${header.replace(' {', '')}`, parseFields(lines, scope)];
    });
}

function parseFields(lines: readonly string[], scope: string): ProtoField[] {
  return lines.flatMap((line) => {
    const { label, type, valueType, name, number } = fieldLine.exec(line.trim())?.groups ?? {};
    if (name === undefined || number === undefined) return [];
    const form = valueType ? 'map' : label === 'repeated' ? 'list' : 'single';
    return [{ number, name, type: fullName(type ?? valueType ?? '', scope), form }];
  });
}

function fullName(type: string, scope: string): string {
  if (scalars.has(type)) return type;
  return type.startsWith('.') ? type.slice(1) : `${scope}.${type}`;
}
