import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Field, FieldTable, MessageFields } from '../src/protobuf/field-table.ts';
import { specialMessages } from '../src/protobuf/special-messages.ts';
import { type ProtoField, type ProtoMessages, readProtoMessages } from './proto-messages.ts';

/** As much as matters here of the types that `generate-schemas.ts` has written. */
interface Definition {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly 'x-kubernetes-group-version-kind'?: readonly {
    readonly group: string;
    readonly version: string;
    readonly kind: string;
  }[];
}

const schemas = new URL('../src/schema/built-in-schemas.json', import.meta.url);
const output = new URL('../src/protobuf/field-table.json', import.meta.url);
const goProject = fileURLToPath(new URL('../../../e2e/kubernetes', import.meta.url));

/**
 * Writes the field numbers of the built-in kinds. Takes the folders of the Go modules `k8s.io/api` and
 * `k8s.io/apimachinery`, or asks `go` where they are.
 */
function main(folders: readonly string[]): void {
  const definitions: Record<string, Definition> = JSON.parse(readFileSync(schemas, 'utf8'));
  const messages = readProtoMessages(folders.length > 0 ? folders : moduleFolders());
  const kinds = findKinds(definitions, messages);
  const table = { kinds, messages: collectMessages(Object.values(kinds), definitions, messages) };
  writeFileSync(output, JSON.stringify(table satisfies FieldTable));
  execFileSync('npx', ['biome', 'format', '--write', fileURLToPath(output)]);
  process.stdout.write(`Wrote ${Object.keys(table.messages).length} messages\n`);
}

function moduleFolders(): string[] {
  const question = ['list', '-m', '-f', '{{.Dir}}', 'k8s.io/api', 'k8s.io/apimachinery'];
  return execFileSync('go', question, { cwd: goProject, encoding: 'utf8' }).trim().split('\n');
}

/** The messages of the kinds that have one; definitions of custom resources, in a module of their own, travel as JSON. */
function findKinds(
  definitions: Readonly<Record<string, Definition>>,
  messages: ProtoMessages,
): Record<string, string> {
  const entries = Object.entries(definitions).flatMap(([name, definition]) => {
    const message = messageOf(name);
    const kinds = definition['x-kubernetes-group-version-kind'] ?? [];
    if (!messages.has(message)) return [];
    return kinds.map(({ group, version, kind }): [string, string] => {
      return [`${group ? `${group}/` : ''}${version} ${kind}`, message];
    });
  });
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** `io.k8s.api.core.v1.Pod` is `k8s.io.api.core.v1.Pod` to protobuf. */
function messageOf(definition: string): string {
  return definition.replace(/^io\.k8s\./, 'k8s.io.');
}

function collectMessages(
  roots: readonly string[],
  definitions: Readonly<Record<string, Definition>>,
  messages: ProtoMessages,
): Record<string, MessageFields> {
  const properties = new Map(
    Object.entries(definitions).map(([name, { properties = {} }]) => [messageOf(name), properties]),
  );
  const found = new Map<string, MessageFields>();
  const waiting = [...roots];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (found.has(name) || name in specialMessages || !name.includes('.')) continue;
    const fields = messages.get(name);
    if (!fields) throw new Error(`Cannot find message "${name}"`);
    waiting.push(...fields.map(({ type }) => type));
    found.set(name, tableOf(fields, properties.get(name)));
  }
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * What is embedded in Go is a field in protobuf, and in JSON its members are those of the message around it. Some names
 * differ in case.
 */
function tableOf(
  fields: readonly ProtoField[],
  properties: Definition['properties'],
): MessageFields {
  const jsonNames = new Map(
    Object.keys(properties ?? {}).map((name) => [name.toLowerCase(), name]),
  );
  const entries = fields.map(({ number, name, type, form }): [string, Field] => {
    const jsonName = properties ? jsonNames.get(name.toLowerCase()) : name;
    if (jsonName !== undefined) {
      return [number, form === 'single' ? [jsonName, type] : [jsonName, type, form]];
    }
    if (form === 'single' && type.includes('.')) return [number, [name, type, 'embedded']];
    throw new Error(`Cannot find property "${name}" in JSON`);
  });
  return Object.fromEntries(entries);
}

main(process.argv.slice(2));
