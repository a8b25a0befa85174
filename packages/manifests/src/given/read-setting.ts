import { isJsonObject, type Json, type JsonObject, ownMember } from '@liqo/kube';
import {
  isSection,
  type Section,
  type ValueGuide,
  type ValueSchema,
  valueGuide,
} from '../chart/value-guide.ts';

/** A setting that cannot be read; the message is a clause about it. */
export class SettingError extends Error {
  override readonly name = 'SettingError';
}

/**
 * Reads `controllerManager.replicas=2` as Helm's `--set` does. A list is `{a,b}`, or one item `name[0]=a`; a map with keys of
 * the user is `name.key=value`, where `\.` is a dot within a key. Lists and maps are also taken as JSON.
 */
export function readSetting(text: string): JsonObject {
  const at = text.indexOf('=');
  if (at < 1) throw new SettingError(`"${text}" is not of the form NAME=VALUE`);
  const keys = text
    .slice(0, at)
    .split(/(?<!\\)\./)
    .map((key) => key.replaceAll('\\.', '.'));
  const { depth, schema } = findSchema(keys);
  const value = readBelow(keys.slice(depth), schema, text.slice(at + 1));
  return nest(keys.slice(0, depth).map(withoutIndex), value) as JsonObject;
}

const withoutIndex = (key: string) => key.replace(/\[0\]$/, '');

function nest(keys: readonly string[], value: Json): Json {
  return keys.reduceRight<Json>((below, key) => ({ [key]: below }), value);
}

/** The value that the first keys lead to; what comes behind them is of the user. */
function findSchema(keys: readonly string[]): { depth: number; schema: ValueSchema } {
  let guide: Section | ValueGuide = valueGuide;
  for (const [depth, key] of keys.entries()) {
    if (!isSection(guide)) break;
    const below: Section | ValueGuide | undefined = ownMember(guide.values, withoutIndex(key));
    if (below === undefined) {
      throw new SettingError(`there is no value "${keys.slice(0, depth + 1).join('.')}"`);
    }
    if (!isSection(below)) return descend(keys, depth, below.schema);
    guide = below;
  }
  throw new SettingError(`"${keys.join('.')}" is a map, not a value`);
}

function descend(keys: readonly string[], at: number, schema: ValueSchema) {
  const hasMore = keys.length > at + 1;
  const isOfMaps = schema.type === 'object' || schema.items?.type === 'object';
  if (hasMore && !isOfMaps) throw new SettingError(`there is no value "${keys.join('.')}"`);
  return { depth: at + 1, schema };
}

function readBelow(keys: readonly string[], schema: ValueSchema, text: string): Json {
  const [key, ...rest] = keys;
  if (key === undefined) return readValue(schema, text);
  if (schema.type === 'array') return [readBelow(keys, schema.items ?? anything, text)];
  const { properties = {}, additionalProperties = anything } = schema;
  const below = ownMember(properties, withoutIndex(key)) ?? (additionalProperties || anything);
  return { [key]: readBelow(rest, below, text) };
}

/** Of keys that nothing is known of. */
const anything: ValueSchema = { type: 'string' };

function readValue(schema: ValueSchema, text: string): Json {
  switch (schema.type) {
    case 'array':
      return schema.items?.type === 'string' ? readList(text) : readJson(text);
    case 'object':
      return readJson(text);
    case 'boolean':
      return text === 'true' || text === 'false' ? text === 'true' : text;
    case 'integer':
      return /^-?\d+$/.test(text) ? Number(text) : text;
    case 'string':
      return text;
  }
}

/** What is no JSON stays a text, which the checks refuse. */
function readJson(text: string): Json {
  try {
    const value = JSON.parse(text) as Json;
    return isJsonObject(value) || Array.isArray(value) ? value : text;
  } catch {
    return text;
  }
}

function readList(text: string): string[] {
  const inside = /^\{(.*)\}$/s.exec(text)?.[1];
  if (inside === undefined) return [text];
  return inside === '' ? [] : inside.split(',');
}
