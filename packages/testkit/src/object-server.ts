import {
  applyJsonPatch,
  applyMergePatch,
  type Clock,
  deepEqual,
  type InProcessAnswer,
  type InProcessServer,
  type Kind,
  type KubeObject,
  type ObjectKey,
  type Stored,
  type TransportRequest,
} from '@liqo/kube';
import { parseResourceRequest, type ResourceRequest } from './resource-request.ts';

type StoredObject = Stored<KubeObject> & { readonly spec?: unknown; readonly status?: unknown };
type SentObject = KubeObject & { readonly spec?: unknown; readonly status?: unknown };

/**
 * A small API server in the process: any kind, get, list, create, update, patch (JSON and merge) and delete, with
 * versions and UIDs checked, finalizers honoured and `status` writable only through its subresource. It knows no schema,
 * no watch, no selectors and no admission, and refuses what it does not know instead of guessing.
 */
export class ObjectServer {
  readonly #clock: Clock;
  readonly #objects = new Map<string, StoredObject>();
  #version = 0;
  #created = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** For an `InProcessTransport`. Wrap it to make it slow, fail or lose its answers. */
  readonly serve: InProcessServer = async (request) => {
    try {
      return this.#answer(request);
    } catch (error) {
      if (error instanceof Refusal) return answerOf(error.code, error.status);
      throw error;
    }
  };

  /** What is stored now, past the API. */
  stored<T extends KubeObject>(kind: Kind<T>, key: ObjectKey): Stored<T> | undefined {
    const { group, plural } = kind;
    const address = addressOf({ group, plural, namespace: key.namespace, name: key.name });
    return this.#objects.get(address) as Stored<T> | undefined;
  }

  /** All of a kind, in all namespaces, past the API. */
  all<T extends KubeObject>({ group, plural }: Kind<T>): readonly Stored<T>[] {
    const objects = this.#collection({ group, plural, namespace: undefined });
    return objects.map((object) => object as Stored<T>);
  }

  #answer(sent: TransportRequest): InProcessAnswer {
    const request = parseResourceRequest(sent);
    if (!request) throw new Refusal(404, 'NotFound', `No such path "${sent.path}"`);
    refuseUnknown(request);
    switch (`${request.method} ${request.name === undefined ? 'collection' : 'object'}`) {
      case 'GET collection':
        return answerOf(200, this.#list(request));
      case 'POST collection':
        return answerOf(201, this.#create(request));
      case 'GET object':
        return answerOf(200, this.#existing(request));
      case 'PUT object':
        return answerOf(200, this.#replace(request, JSON.parse(request.body)));
      case 'PATCH object':
        return answerOf(200, this.#replace(request, patched(this.#existing(request), request)));
      case 'DELETE object':
        return answerOf(200, this.#delete(request));
      default:
        throw new Refusal(405, 'MethodNotAllowed', `Cannot ${request.method} "${sent.path}"`);
    }
  }

  #list(request: ResourceRequest): object {
    const items = this.#collection(request);
    return { kind: 'List', apiVersion: 'v1', metadata: { resourceVersion: this.#now() }, items };
  }

  #create(request: ResourceRequest): StoredObject {
    const sent: SentObject = JSON.parse(request.body);
    const { generateName } = sent.metadata ?? {};
    const name = sent.metadata?.name || (generateName && `${generateName}${++this.#created}`);
    if (!name) throw new Refusal(422, 'Invalid', 'metadata.name: Required value');
    const address = addressOf({ ...request, name });
    if (this.#objects.has(address)) throw refusal(409, 'AlreadyExists', { ...request, name });
    const { status: _, ...rest } = sent;
    return this.#store(address, {
      apiVersion: '',
      kind: '',
      ...rest,
      metadata: {
        ...sent.metadata,
        ...(request.namespace !== undefined && { namespace: request.namespace }),
        name,
        uid: `uid-${++this.#created}`,
        creationTimestamp: timestamp(this.#clock),
        generation: 1,
        resourceVersion: '',
      },
    });
  }

  #replace(request: ResourceRequest, sent: SentObject): StoredObject {
    const before = this.#existing(request);
    refuseStale(request, before, sent);
    const after = request.subresource === 'status' ? statusOf(before, sent) : mainOf(before, sent);
    if (deepEqual(before, after)) return before;
    refuseLateFinalizers(before, after);
    const stored = this.#store(addressOf(request), after);
    if (isGone(stored)) this.#objects.delete(addressOf(request));
    return stored;
  }

  #delete(request: ResourceRequest): object {
    const before = this.#existing(request);
    const { preconditions } = request.body ? JSON.parse(request.body) : {};
    refuseStale(request, before, { metadata: preconditions ?? {} });
    const deletionTimestamp = before.metadata.deletionTimestamp ?? timestamp(this.#clock);
    const marked = { ...before, metadata: { ...before.metadata, deletionTimestamp } };
    if (!isGone(marked)) return this.#store(addressOf(request), marked);
    this.#objects.delete(addressOf(request));
    this.#version += 1;
    return { kind: 'Status', apiVersion: 'v1', status: 'Success' };
  }

  #existing(request: ResourceRequest): StoredObject {
    const object = this.#objects.get(addressOf(request));
    if (!object) throw refusal(404, 'NotFound', request);
    return object;
  }

  #collection(of: Pick<ResourceRequest, 'group' | 'plural' | 'namespace'>): StoredObject[] {
    const prefix = addressOf({ ...of, namespace: '', name: '' }).slice(0, -1);
    return [...this.#objects]
      .filter(([address]) => address.startsWith(prefix))
      .map(([, object]) => object)
      .filter(({ metadata }) => !of.namespace || metadata.namespace === of.namespace);
  }

  #store(address: string, object: StoredObject): StoredObject {
    this.#version += 1;
    const stored = {
      ...object,
      metadata: { ...object.metadata, resourceVersion: this.#now() },
    };
    this.#objects.set(address, stored);
    return stored;
  }

  #now(): string {
    return String(this.#version);
  }
}

function addressOf(of: Pick<ResourceRequest, 'group' | 'plural' | 'namespace' | 'name'>): string {
  return `${of.group}/${of.plural}/${of.namespace ?? ''}/${of.name}`;
}

/** The object under its main path: its status and what the server owns of its metadata stay as they are. */
function mainOf(before: StoredObject, sent: SentObject): StoredObject {
  const { status: _, ...rest } = sent;
  const { apiVersion, kind, status } = before;
  const changed = !deepEqual(before.spec, sent.spec);
  const generation = (before.metadata.generation ?? 1) + (changed ? 1 : 0);
  const metadata = { ...ownedByServer(before.metadata), ...ownedByClients(sent), generation };
  return { ...rest, apiVersion, kind, metadata, ...(status !== undefined && { status }) };
}

function ownedByServer(metadata: StoredObject['metadata']) {
  const { labels: _l, annotations: _a, finalizers: _f, ownerReferences: _o, ...owned } = metadata;
  return owned;
}

function ownedByClients(sent: SentObject) {
  const { labels, annotations, finalizers, ownerReferences } = sent.metadata ?? {};
  return {
    ...(labels && { labels }),
    ...(annotations && { annotations }),
    ...(finalizers && { finalizers }),
    ...(ownerReferences && { ownerReferences }),
  };
}

function statusOf(before: StoredObject, sent: SentObject): StoredObject {
  const { status: _, ...rest } = before;
  return sent.status === undefined ? rest : { ...rest, status: sent.status };
}

function patched(before: StoredObject, request: ResourceRequest): SentObject {
  const patch = JSON.parse(request.body);
  switch (request.contentType) {
    case 'application/merge-patch+json':
      return applyMergePatch(before, patch);
    case 'application/json-patch+json':
      return afterJsonPatch(before, patch);
    default:
      throw new Refusal(415, 'UnsupportedMediaType', `No such patch "${request.contentType}"`);
  }
}

/** A `test` that fails is an `Invalid` to the API server, not a conflict. */
function afterJsonPatch(
  before: StoredObject,
  patch: Parameters<typeof applyJsonPatch>[1],
): SentObject {
  try {
    return applyJsonPatch(before, patch);
  } catch (cause) {
    throw new Refusal(422, 'Invalid', 'the server rejected our request', { cause });
  }
}

function isGone({ metadata }: StoredObject): boolean {
  return metadata.deletionTimestamp !== undefined && !metadata.finalizers?.length;
}

function refuseUnknown({ query, subresource, plural, method }: ResourceRequest): void {
  for (const name of query.keys()) {
    if (!['fieldManager', 'fieldValidation', 'limit'].includes(name))
      throw new Refusal(400, 'BadRequest', `This server does not know "${name}"`);
  }
  if (subresource === undefined) return;
  if (subresource !== 'status' || !['PUT', 'PATCH'].includes(method))
    throw new Refusal(404, 'NotFound', `No such subresource "${plural}/${subresource}"`);
}

function refuseStale(request: ResourceRequest, before: StoredObject, sent: SentObject): void {
  const { uid, resourceVersion } = sent.metadata ?? {};
  const isOther = uid !== undefined && uid !== before.metadata.uid;
  const isOlder = resourceVersion && resourceVersion !== before.metadata.resourceVersion;
  if (isOther || isOlder) throw refusal(409, 'Conflict', request);
}

function refuseLateFinalizers(before: StoredObject, after: StoredObject): void {
  if (before.metadata.deletionTimestamp === undefined) return;
  const had = before.metadata.finalizers ?? [];
  const added = (after.metadata.finalizers ?? []).filter((name) => !had.includes(name));
  if (added.length > 0)
    throw new Refusal(
      422,
      'Invalid',
      'metadata.finalizers: Forbidden: the object is being deleted',
    );
}

/** A refusal in the API server's words. */
class Refusal extends Error {
  readonly code: number;
  readonly status: object;

  constructor(
    code: number,
    reason: string,
    message: string,
    extra: ErrorOptions & { details?: object } = {},
  ) {
    super(message, extra);
    this.code = code;
    const { details } = extra;
    this.status = {
      kind: 'Status',
      apiVersion: 'v1',
      status: 'Failure',
      code,
      reason,
      message,
      details,
    };
  }
}

function refusal(code: number, reason: string, request: ResourceRequest): Refusal {
  const { name, group, plural } = request;
  const message = `${plural}${group && `.${group}`} "${name}": ${reason}`;
  return new Refusal(code, reason, message, { details: { name, group, kind: plural } });
}

function answerOf(status: number, body: object): InProcessAnswer {
  const headers = { 'content-type': 'application/json' };
  return { status, headers, body: JSON.stringify(body) };
}

/** Kubernetes' times are whole seconds. */
function timestamp(clock: Clock): string {
  return `${new Date(clock.now()).toISOString().slice(0, 19)}Z`;
}
