import type { Kind, KubeObject } from '@liqo/kube';
import { documentedManifests } from './liqo-documented-manifests.ts';
import {
  allowedFieldChanges,
  type FieldChange,
  forbiddenFieldChanges,
  type InvalidField,
  invalidFields,
} from './liqo-invalid-fields.ts';
import { forgeDocument, type JsonObject, withField } from './liqo-kind-document.ts';
import { networkSamples } from './liqo-network-samples.ts';
import { peeringSamples } from './liqo-peering-samples.ts';

/** The server takes it, and gives back every field of it. Its `status` goes to the subresource, if the kind has one. */
interface ValidDocument {
  readonly name: string;
  readonly kind: Kind;
  readonly object: KubeObject;
}

/** The server refuses it with 422, and `path` is among the fields of `details.causes`. */
interface InvalidDocument extends ValidDocument {
  readonly path: string;
  /** The subresource that refuses it when its status is at fault: the object's own endpoint would ignore that. */
  readonly subresource?: 'status';
}

/** The server takes `object`, then refuses `changed` in its place, as it refuses an invalid document. */
interface ForbiddenChange extends InvalidDocument {
  readonly changed: KubeObject;
}

/** The server takes `object`, then `changed` in its place. */
interface AllowedChange extends ValidDocument {
  readonly changed: KubeObject;
}

/** What any API server with our CustomResourceDefinitions must make of documents of our kinds. */
interface LiqoKindDocuments {
  readonly valid: readonly ValidDocument[];
  readonly invalid: readonly InvalidDocument[];
  readonly forbiddenChanges: readonly ForbiddenChange[];
  readonly allowedChanges: readonly AllowedChange[];
}

const samples = [...peeringSamples, ...networkSamples];

/** Every document has the name `conformance`, and those of namespaced kinds the given namespace. */
export function liqoKindDocuments(namespace: string): LiqoKindDocuments {
  return {
    valid: [
      ...samples.map(([kind, content]) => forgeValid(kind.kind, kind, content, namespace)),
      ...documentedManifests.map((manifest) => forgeValid(...manifest, namespace)),
    ],
    invalid: invalidFields.map((field) => forgeInvalid(field, namespace)),
    forbiddenChanges: forbiddenFieldChanges.map((change) => forgeChange(change, namespace)),
    allowedChanges: allowedFieldChanges.map((change) => forgeChange(change, namespace)),
  };
}

function forgeChange(
  [name, kind, path, value, changed]: FieldChange,
  namespace: string,
): ForbiddenChange {
  return {
    ...forgeInvalid([name, kind, path, value], namespace),
    changed: forgeInvalid([name, kind, path, changed], namespace).object,
  };
}

function forgeValid(
  name: string,
  kind: Kind,
  content: JsonObject,
  namespace: string,
): ValidDocument {
  return { name, kind, object: forgeDocument(kind, content, namespace) };
}

function forgeInvalid([name, kind, path, value]: InvalidField, namespace: string): InvalidDocument {
  const content = withField(sampleOf(kind), path, value);
  return {
    ...forgeValid(name, kind, content, namespace),
    path,
    ...(path.startsWith('status.') && { subresource: 'status' }),
  };
}

function sampleOf(kind: Kind): JsonObject {
  const sample = samples.find(([candidate]) => candidate === kind);
  if (sample === undefined) throw new Error(`Cannot find a sample of "${kind.kind}"`);
  return sample[1];
}
