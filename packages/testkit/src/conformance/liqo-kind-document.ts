import { apiVersionOf, type Kind, type KubeObject } from '@liqo/kube';

export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [key: string]: Json };

export type JsonObject = { readonly [key: string]: Json };

/** A kind, and the `spec` and `status` of a good object of it. */
export type Sample = readonly [kind: Kind, content: JsonObject];

/** A document is what somebody sends: only a server can tell whether it is an object of its kind. */
export function forgeDocument(kind: Kind, content: JsonObject, namespace: string): KubeObject {
  const { metadata, ...rest } = content;
  return {
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    metadata: { ...toObject(metadata), name: 'conformance', ...(kind.namespaced && { namespace }) },
    ...rest,
  };
}

/** The content with one field replaced: `spec.taints[0].effect`. Without a value, the field is left out. */
export function withField(content: JsonObject, path: string, value: Json | undefined): JsonObject {
  const steps = path.split(/[.[\]]+/).filter((step) => step !== '');
  return toObject(replace(content, steps, value));
}

function replace(node: Json | undefined, steps: readonly string[], value: Json | undefined): Json {
  const [step = '', ...rest] = steps;
  const entries = Object.entries(node ?? {}).filter(([key]) => key !== step);
  const child = rest.length === 0 ? value : replace(childOf(node, step), rest, value);
  const replaced = Object.fromEntries(child === undefined ? entries : [...entries, [step, child]]);
  return Array.isArray(node) ? Object.values(replaced) : replaced;
}

function childOf(node: Json | undefined, step: string): Json | undefined {
  return new Map<string, Json>(Object.entries(node ?? {})).get(step);
}

function toObject(value: Json | undefined): JsonObject {
  return Object.fromEntries(Object.entries(value ?? {}));
}
