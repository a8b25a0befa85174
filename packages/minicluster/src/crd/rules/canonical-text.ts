import { isJsonObject } from '@liqo/kube';
import { propertyOf, type TypeSchema } from '../../schema/type-schema.ts';

/** Two values of a schema that rules take for equal have the same text: sets and list-maps have no order. */
export function canonicalText(schema: TypeSchema, value: unknown): string {
  if (Array.isArray(value)) return listText(schema, value);
  if (!isJsonObject(value)) return JSON.stringify(value) ?? 'null';
  const { additionalProperties: others } = schema;
  const members = Object.entries(value).flatMap(([key, member]) => {
    const type = propertyOf(schema, key) ?? (typeof others === 'object' ? others : undefined);
    return type ? [`${JSON.stringify(key)}:${canonicalText(type, member)}`] : [];
  });
  return `{${members.sort().join()}}`;
}

function listText(schema: TypeSchema, list: readonly unknown[]): string {
  const { items } = schema;
  const texts = list.map((item) => (items ? canonicalText(items, item) : JSON.stringify(item)));
  const type = schema['x-kubernetes-list-type'];
  return `[${(type === 'set' || type === 'map' ? texts.sort() : texts).join()}]`;
}
