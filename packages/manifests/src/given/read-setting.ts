import { type JsonObject, ownMember } from '@liqo/kube';
import { isSection, type Section, valueGuide } from '../chart/value-guide.ts';

/** A setting that cannot be read; the message is a clause about it. */
export class SettingError extends Error {
  override readonly name = 'SettingError';
}

/** Reads `controllerManager.replicas=2` as Helm's `--set` does; a list is `{a,b}`, or one item `name[0]=a`. */
export function readSetting(text: string): JsonObject {
  const at = text.indexOf('=');
  if (at < 1) throw new SettingError(`"${text}" is not of the form NAME=VALUE`);
  const path = text.slice(0, at).replace(/\[0\]$/, '');
  const keys = path.split('.');
  const value = readValue(keys, text.slice(at + 1));
  return keys.reduceRight<JsonObject[string]>(
    (below, key) => ({ [key]: below }),
    value,
  ) as JsonObject;
}

function readValue(keys: readonly string[], text: string): JsonObject[string] {
  let guide: Section['values'][string] = valueGuide;
  for (const [depth, key] of keys.entries()) {
    const below: Section['values'][string] | undefined = isSection(guide)
      ? ownMember(guide.values, key)
      : undefined;
    if (below === undefined) {
      throw new SettingError(`there is no value "${keys.slice(0, depth + 1).join('.')}"`);
    }
    guide = below;
  }
  if (isSection(guide)) throw new SettingError(`"${keys.join('.')}" is a map, not a value`);
  switch (guide.schema.type) {
    case 'array':
      return readList(text);
    case 'boolean':
      return text === 'true' || text === 'false' ? text === 'true' : text;
    case 'integer':
      return /^-?\d+$/.test(text) ? Number(text) : text;
    case 'string':
      return text;
  }
}

function readList(text: string): string[] {
  const inside = /^\{(.*)\}$/s.exec(text)?.[1];
  if (inside === undefined) return [text];
  return inside === '' ? [] : inside.split(',');
}
