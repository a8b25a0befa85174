import { isJsonObject, type KubeObject } from '@liqo/kube';
import type { Schemas, TypeSchema } from '../schema/type-schema.ts';
import { claimedFields } from './collect-fields.ts';
import { compareValues } from './compare-values.ts';
import { difference, type FieldSet } from './field-set.ts';

/**
 * The way from `kubectl apply` to `kubectl apply --server-side`. The former keeps what it applied in an annotation; when
 * the latter comes along, under its usual name, the server lets it have those fields without a quarrel, and keeps the
 * annotation up to date so that the way back stays open.
 */
const lastAppliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration';
const kubectl = 'kubectl';

/** The fields that the annotation of an object tells about truly; undefined when there is nothing to go by. */
export function fieldsLastApplied(
  schemas: Schemas,
  schema: TypeSchema,
  live: KubeObject,
  manager: string,
): FieldSet | undefined {
  const last = manager === kubectl ? parse(annotationOf(live)) : undefined;
  if (!last || last.apiVersion !== live.apiVersion) return undefined;
  const { modified, added, removed } = compareValues(schemas, schema, last, live);
  const fields = claimedFields(schemas, schema, last);
  return [modified, added, removed].reduce(difference, fields);
}

/** The object with what has just been applied in its annotation, if it has one. */
export function withLastApplied(
  object: KubeObject,
  applied: KubeObject,
  manager: string,
): KubeObject {
  if (manager !== kubectl || annotationOf(object) === undefined) return object;
  const text = `${JSON.stringify(sorted(withoutAnnotation(applied)))}\n`;
  const annotations = { ...object.metadata?.annotations, [lastAppliedAnnotation]: text };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

function annotationOf({ metadata }: KubeObject): string | undefined {
  return metadata?.annotations?.[lastAppliedAnnotation];
}

function parse(text: string | undefined): KubeObject | undefined {
  try {
    const value: unknown = text ? JSON.parse(text) : undefined;
    return isJsonObject(value) ? (value as KubeObject) : undefined;
  } catch {
    // Anybody may write an annotation; one that is no JSON tells nothing.
    return undefined;
  }
}

function withoutAnnotation(object: KubeObject): KubeObject {
  const { [lastAppliedAnnotation]: last, ...annotations } = object.metadata?.annotations ?? {};
  return last === undefined ? object : { ...object, metadata: { ...object.metadata, annotations } };
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, member]) => [key, sorted(member)]));
}
