import type { TokenRequest } from 'kubernetes-types/authentication/v1.d.ts';
import type { Scale } from 'kubernetes-types/autoscaling/v1.d.ts';
import type { Binding } from 'kubernetes-types/core/v1.d.ts';
import type { StatusDetails } from 'kubernetes-types/meta/v1.d.ts';
import type { Eviction } from 'kubernetes-types/policy/v1.d.ts';
import { isNotFound } from './api-error.ts';
import {
  type ApplyOptions,
  type Call,
  type CallOptions,
  type ConnectOptions,
  type DeleteCollectionOptions,
  type DeleteOptions,
  deleteBody,
  type ListOptions,
  type LogOptions,
  optionsOf,
  type PatchOptions,
  selectionQuery,
  type WriteOptions,
  writeQuery,
} from './call-options.ts';
import type { CallSignal } from './call-signal.ts';
import type { Clock } from './clock.ts';
import { type Discovery, discover, discoverResource, type VersionedResource } from './discovery.ts';
import { apiVersionOf, type Kind } from './kind.ts';
import { CertificateSigningRequest } from './kinds/certificates.ts';
import { Pod, ServiceAccount } from './kinds/core.ts';
import type { LimitBounds } from './learnt-limit.ts';
import { ListSize } from './list-size.ts';
import type { KubeObject, ObjectKey, Stored } from './object.ts';
import { parseBoundedJson } from './parse-bounded-json.ts';
import type { Patch } from './patch.ts';
import type { Random } from './random.ts';
import { Requester } from './requester.ts';
import { type Query, queryString, resourcePath } from './resource-path.ts';
import {
  defaultListLimits,
  type ListLimits,
  maxObjectValues,
  ResponseTooLargeError,
} from './response-limits.ts';
import type {
  Transport,
  TransportRequest,
  TransportResponse,
  UpgradedConnection,
} from './transport.ts';
import { type WatchEvent, type WatchOptions, watchResource } from './watch.ts';

export interface ClientOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: Random;
  /** How long a call may take unless it says otherwise, waits for a busy server included. */
  readonly timeoutMs?: number;
  /** Who writes, in `managedFields`: needed for `apply`, used for every write. */
  readonly fieldManager?: string;
  readonly userAgent?: string;
  /** How many calls may be under way at a time, which is learnt within these bounds. */
  readonly limit?: LimitBounds;
  /** How much one list may bring. */
  readonly listLimits?: Partial<ListLimits>;
  /** Told what the server warns of: deprecated versions, unknown fields it dropped. */
  readonly onWarning?: (warning: string) => void;
}

export interface ObjectList<T extends KubeObject> {
  readonly items: readonly Stored<T>[];
  readonly resourceVersion: string;
}

/** What the subresources take and give, besides `status`, which takes and gives the object itself. */
export interface Subresources {
  scale: Scale;
  binding: Binding;
  eviction: Eviction;
  token: TokenRequest;
}

/**
 * Kubernetes, typed by kind over plain JSON: what the server sent is what you get, unknown fields included.
 * Every call takes a signal, or options with one, last. A refusal of the server is an `ApiError`.
 */
export class Client implements AsyncDisposable {
  readonly #options: ClientOptions;
  readonly #transport: Transport;
  readonly #requester: Requester;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #fieldManager: string | undefined;
  readonly #listLimits: ListLimits;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#transport = options.transport;
    this.#clock = options.clock;
    this.#random = options.random;
    this.#fieldManager = options.fieldManager;
    this.#listLimits = { ...defaultListLimits, ...options.listLimits };
    this.#requester = new Requester({
      transport: options.transport,
      clock: options.clock,
      random: options.random,
      timeoutMs: options.timeoutMs ?? 60_000,
      userAgent: options.userAgent ?? 'liqo-ts',
      limit: options.limit,
      onWarning: options.onWarning,
    });
  }

  /**
   * A client of the same server over a transport that wraps this one's. Both share its connections, and disposing of
   * either closes them. Each has a concurrency limit of its own.
   */
  withTransport(wrap: (transport: Transport) => Transport): Client {
    return new Client({ ...this.#options, transport: wrap(this.#transport) });
  }

  /**
   * Uses the credentials of another client from now on. Watches and other calls that are under way go on; the next call proves
   * the new identity. Resolves to false, and nothing has changed, if the other client leads to another server, trusts another
   * authority, or has another default namespace; also where credentials cannot be replaced.
   */
  async takeCredentialsOf(other: Client): Promise<boolean> {
    const [ours, theirs] = [this.#transport.credentials, other.#transport.credentials];
    return ours && theirs ? ours.replaceWith(theirs) : false;
  }

  /**
   * The object, or undefined when the server says that this very object does not exist. A kind that is not served is
   * an error, not an absence.
   */
  async get<T extends KubeObject>(
    kind: Kind<T>,
    key: ObjectKey,
    call?: Call,
  ): Promise<Stored<T> | undefined> {
    try {
      return await this.#json({
        method: 'GET',
        path: resourcePath(kind, key),
        options: optionsOf(call),
      });
    } catch (error) {
      if (isNotFound(error) && isAbout(error.details, kind, key)) return undefined;
      throw error;
    }
  }

  /** Everything selected, fetched page by page. */
  async list<T extends KubeObject>(
    kind: Kind<T>,
    call?: Call<ListOptions>,
  ): Promise<ObjectList<T>> {
    const items: Stored<T>[] = [];
    let resourceVersion = '';
    for await (const page of this.pages(kind, call)) {
      for (const item of page.items) items.push(item);
      resourceVersion = page.resourceVersion;
    }
    return { items, resourceVersion };
  }

  /**
   * The pages of one list, for readers who need not hold all of it. A 410 between two pages is the reader's to handle. A page
   * that is too large is asked for again with fewer objects; a list that exceeds its limits is a `ResponseTooLargeError`.
   */
  async *pages<T extends KubeObject>(
    kind: Kind<T>,
    call?: Call<ListOptions>,
  ): AsyncGenerator<ObjectList<T>, void, undefined> {
    const options = optionsOf<ListOptions>(call);
    const size = new ListSize(this.#listLimits, kind.plural);
    let next: string | undefined;
    do {
      const page: WireList<T> = await this.#page(kind, options, next, size);
      yield { items: withKind(kind, page), resourceVersion: page.metadata.resourceVersion };
      next = page.metadata.continue || undefined;
    } while (next !== undefined);
  }

  async #page<T extends KubeObject>(
    kind: Kind<T>,
    options: Partial<ListOptions>,
    next: string | undefined,
    size: ListSize,
  ): Promise<WireList<T>> {
    let { pageSize = defaultPageSize } = options;
    for (;;) {
      const query = listQuery({ ...options, pageSize }, next);
      const path = resourcePath(kind, { namespace: options.namespace }, query);
      try {
        return await this.#json({ method: 'GET', path, options, onText: (text) => size.add(text) });
      } catch (error) {
        if (!(error instanceof ResponseTooLargeError) || pageSize === 1 || size.isExceeded)
          throw error;
        pageSize = Math.ceil(pageSize / 10);
      }
    }
  }

  /** Every change after `resourceVersion`, across reconnects, until the signal aborts. See `watch.ts`. */
  watch<T extends KubeObject>(
    kind: Kind<T>,
    options: WatchOptions,
    signal?: AbortSignal,
  ): AsyncGenerator<WatchEvent<T>, void, undefined> {
    const io = {
      clock: this.#clock,
      random: this.#random,
      open: (request: TransportRequest, stop: CallSignal) => this.#requester.open(request, stop),
    };
    return watchResource(io, kind, options, signal);
  }

  create<T extends KubeObject>(
    kind: Kind<T>,
    object: T,
    call?: Call<WriteOptions>,
  ): Promise<Stored<T>> {
    const options = optionsOf<WriteOptions>(call);
    const path = resourcePath(
      kind,
      { namespace: object.metadata?.namespace },
      this.#write(options),
    );
    return this.#json({ method: 'POST', path, options, body: typed(kind, object) });
  }

  /** Replaces the object; fails with a conflict when its `resourceVersion` is not the newest. */
  update<T extends KubeObject>(
    kind: Kind<T>,
    object: T,
    call?: Call<WriteOptions>,
  ): Promise<Stored<T>> {
    return this.#put(kind, object, undefined, call);
  }

  updateStatus<T extends KubeObject>(
    kind: Kind<T>,
    object: T,
    call?: Call<WriteOptions>,
  ): Promise<Stored<T>> {
    return this.#put(kind, object, 'status', call);
  }

  /** Approves or denies a request for a certificate: by the conditions in its status, and nothing else of it counts. */
  updateApproval(
    request: CertificateSigningRequest,
    call?: Call<WriteOptions>,
  ): Promise<Stored<CertificateSigningRequest>> {
    return this.#put(CertificateSigningRequest, request, 'approval', call);
  }

  patch<T extends KubeObject>(
    kind: Kind<T>,
    key: ObjectKey,
    patch: Patch,
    call?: Call<PatchOptions>,
  ): Promise<Stored<T>> {
    const options = optionsOf<PatchOptions>(call);
    const { subresource } = options;
    const path = resourcePath(kind, { ...key, subresource }, this.#write(options));
    return this.#json({ method: 'PATCH', path, options, ...patch });
  }

  /** Server-side apply: states the fields this manager wants, and only those. */
  apply<T extends KubeObject>(
    kind: Kind<T>,
    object: T,
    call?: Call<ApplyOptions>,
  ): Promise<Stored<T>> {
    const options = optionsOf<ApplyOptions>(call);
    const { subresource, onCreated } = options;
    const query = { ...this.#write(options), force: options.force };
    const path = resourcePath(kind, { ...keyOfWritten(kind, object), subresource }, query);
    const contentType = 'application/apply-patch+yaml';
    const onCode = (code: number) => void (code === 201 && onCreated?.());
    const body = typed(kind, object);
    return this.#json({ method: 'PATCH', path, options, body, contentType, onCode });
  }

  /** Gives the object back while it lingers (finalizers, grace period), undefined when it is gone. */
  async delete<T extends KubeObject>(
    kind: Kind<T>,
    key: ObjectKey,
    call?: Call<DeleteOptions>,
  ): Promise<Stored<T> | undefined> {
    const options = optionsOf<DeleteOptions>(call);
    const path = resourcePath(kind, key);
    const body = deleteBody(options);
    const answer = await this.#json<Stored<T>>({ method: 'DELETE', path, options, body });
    return lingers(answer) ? answer : undefined;
  }

  async deleteCollection<T extends KubeObject>(
    kind: Kind<T>,
    call?: Call<DeleteCollectionOptions>,
  ): Promise<void> {
    const options = optionsOf<DeleteCollectionOptions>(call);
    const path = resourcePath(kind, { namespace: options.namespace }, selectionQuery(options));
    await this.#json({ method: 'DELETE', path, options, body: deleteBody(options) });
  }

  getScale(kind: Kind, key: ObjectKey, call?: Call): Promise<Scale> {
    const path = resourcePath(kind, { ...key, subresource: 'scale' });
    return this.#json({ method: 'GET', path, options: optionsOf(call) });
  }

  updateScale(kind: Kind, key: ObjectKey, scale: Scale, call?: Call<WriteOptions>): Promise<Scale> {
    const options = optionsOf<WriteOptions>(call);
    const path = resourcePath(kind, { ...key, subresource: 'scale' }, this.#write(options));
    return this.#json({ method: 'PUT', path, options, body: scale });
  }

  /** Binds a pod to a node, as a scheduler does. */
  async bind(pod: ObjectKey, nodeName: string, call?: Call<WriteOptions>): Promise<void> {
    const target = { apiVersion: 'v1', kind: 'Node', name: nodeName };
    const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { ...pod }, target };
    await this.#createSubresource(Pod, pod, 'binding', binding as Binding, optionsOf(call));
  }

  /** Asks for a pod's removal; a 429 means a disruption budget forbids it for now. It is not repeated here. */
  async evict(pod: ObjectKey, options: DeleteOptions = {}): Promise<void> {
    const eviction = {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { ...pod },
      deleteOptions: deleteBody(options),
    };
    await this.#createSubresource(Pod, pod, 'eviction', eviction as Eviction, {
      ...options,
      repeat: false,
    });
  }

  /** A token of a ServiceAccount, bound and limited as `spec` says. */
  createToken(
    serviceAccount: ObjectKey,
    spec: TokenRequest['spec'],
    call?: Call<WriteOptions>,
  ): Promise<TokenRequest> {
    const body: TokenRequest = {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec,
    };
    return this.#createSubresource(ServiceAccount, serviceAccount, 'token', body, optionsOf(call));
  }

  /** The log of a container as it comes. The stream ends with the log, or when the signal aborts. */
  async logs(pod: ObjectKey, call?: Call<LogOptions>): Promise<AsyncIterable<Uint8Array>> {
    const { signal, timeoutMs: _, ...query } = optionsOf<LogOptions>(call);
    const path = resourcePath(Pod, { ...pod, subresource: 'log' }, query as Query);
    const response = await this.#requester.open({ method: 'GET', path }, signal);
    return response.chunks();
  }

  /** Opens `exec`, `attach` or `portforward` of a pod and hands the switched connection over, undecoded. */
  connect(
    pod: ObjectKey,
    subresource: 'exec' | 'attach' | 'portforward',
    options: ConnectOptions,
  ): Promise<UpgradedConnection> {
    const path = resourcePath(Pod, { ...pod, subresource }, options.query);
    const switching = { connection: 'Upgrade', upgrade: options.protocol };
    // What comes back is no JSON: a server refuses whoever insists on it.
    const headers = { accept: '*/*', ...options.headers, ...switching };
    const method = options.protocol === 'websocket' ? 'GET' : 'POST';
    return this.#requester.upgrade({ method, path, headers }, options);
  }

  /** Any other request. The caller reads the body, or discards it; a status of 300 or more is thrown as an `ApiError`. */
  raw(
    request: TransportRequest,
    signal?: AbortSignal,
    options: { readonly returnRedirects?: boolean } = {},
  ): Promise<TransportResponse> {
    return this.#requester.open(request, signal, options);
  }

  /** Any JSON the server has at a path: `/version`, `/openapi/v3`, a metrics API. */
  rawJson<T>(path: string, call?: Call, query: Query = {}): Promise<T> {
    const options = optionsOf(call);
    return this.#json({ method: 'GET', path: `${path}${queryString(query)}`, options });
  }

  /** Which kinds the server has. */
  discover(call?: Call): Promise<Discovery> {
    const options = optionsOf(call);
    return discover((path, accept) => this.#json({ method: 'GET', path, options, accept }));
  }

  /** Undefined when the server does not serve the resource in that version. */
  async discoverResource(
    resource: { readonly group: string; readonly version: string; readonly plural: string },
    call?: Call,
  ): Promise<VersionedResource | undefined> {
    const options = optionsOf(call);
    try {
      return await discoverResource(
        (path, accept) => this.#json({ method: 'GET', path, options, accept }),
        resource,
      );
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#transport[Symbol.asyncDispose]();
  }

  #put<T extends KubeObject>(
    kind: Kind<T>,
    object: T,
    subresource: string | undefined,
    call: Call<WriteOptions> | undefined,
  ): Promise<Stored<T>> {
    const options = optionsOf<WriteOptions>(call);
    const target = { ...keyOfWritten(kind, object), subresource };
    const path = resourcePath(kind, target, this.#write(options));
    return this.#json({ method: 'PUT', path, options, body: typed(kind, object) });
  }

  #createSubresource<S extends keyof Subresources>(
    kind: Kind,
    key: ObjectKey,
    subresource: S,
    body: Subresources[S],
    options: Partial<WriteOptions> & { readonly repeat?: boolean },
  ): Promise<Subresources[S]> {
    const path = resourcePath(kind, { ...key, subresource }, this.#write(options));
    return this.#json({ method: 'POST', path, options, body, repeat: options.repeat });
  }

  #write(options: Partial<WriteOptions>): Query {
    return writeQuery(options, this.#fieldManager);
  }

  #json<T>(call: JsonCall): Promise<T> {
    const { method, path, options, body } = call;
    const headers: Record<string, string> = {};
    if (call.accept) headers.accept = call.accept;
    if (body !== undefined) headers['content-type'] = call.contentType ?? 'application/json';
    const request =
      body === undefined
        ? { method, path, headers }
        : { method, path, headers, body: JSON.stringify(body) };
    return this.#requester.call({
      request,
      signal: options.signal,
      timeoutMs: options.timeoutMs,
      repeat: call.repeat,
      read: async (response) => {
        call.onCode?.(response.status);
        if (response.value) return response.value() as T;
        const text = await response.text();
        call.onText?.(text);
        return parseAnswer(
          request,
          text,
          call.onText ? Number.POSITIVE_INFINITY : maxObjectValues,
        ) as T;
      },
    });
  }
}

interface JsonCall {
  readonly method: string;
  readonly path: string;
  readonly options: CallOptions;
  readonly body?: unknown;
  readonly contentType?: string | undefined;
  readonly accept?: string | undefined;
  readonly repeat?: boolean | undefined;
  /** Judges the answer before it is parsed, instead of the limit for one object. */
  readonly onText?: (text: string) => void;
  /** Told the code of an answer that is no error. */
  readonly onCode?: (code: number) => void;
}

const defaultPageSize = 500;

function listQuery(options: Partial<ListOptions>, next: string | undefined): Query {
  const page = { ...selectionQuery(options), limit: options.pageSize ?? defaultPageSize };
  if (next !== undefined) return { ...page, continue: next };
  const { resourceVersion, resourceVersionMatch } = options;
  return { ...page, resourceVersion, resourceVersionMatch };
}

interface WireList<T> {
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
  readonly items: readonly T[] | null;
}

/** Items of a typed list come without `apiVersion` and `kind`: give them what every single object has. */
function withKind<T extends KubeObject>(kind: Kind<T>, list: WireList<T>): readonly Stored<T>[] {
  return (list.items ?? []).map((item) => typed(kind, item) as Stored<T>);
}

function typed<T extends KubeObject>(kind: Kind<T>, object: T): T {
  if (object.kind !== undefined && object.apiVersion !== undefined) return object;
  return { apiVersion: apiVersionOf(kind), kind: kind.kind, ...object };
}

function parseAnswer({ method, path }: TransportRequest, text: string, maxValues: number): unknown {
  try {
    return parseBoundedJson(text, maxValues);
  } catch (cause) {
    if (cause instanceof ResponseTooLargeError) throw cause;
    throw new Error(`Cannot read the answer to ${method} ${path}: it is not JSON`, { cause });
  }
}

/** Whether what was not found is this object, and not something on the way to it. */
function isAbout(details: StatusDetails | undefined, kind: Kind, key: ObjectKey): boolean {
  const { plural } = kind;
  return details?.name === key.name && [undefined, plural, kind.kind].includes(details.kind);
}

/** Some kinds show what was deleted although it is gone: nothing holds it, and there is no time left. */
function lingers({ metadata }: KubeObject): boolean {
  if (metadata?.deletionTimestamp === undefined) return false;
  return Boolean(metadata.finalizers?.length) || metadata.deletionGracePeriodSeconds !== 0;
}

function keyOfWritten(kind: Kind, object: KubeObject): ObjectKey {
  const { namespace, name } = object.metadata ?? {};
  if (!name) throw new TypeError(`Cannot write a ${kind.kind}: its metadata has no name`);
  return { namespace, name };
}
