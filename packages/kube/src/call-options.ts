import type { Query } from './resource-path.ts';

/** Every call takes one of these last: a bare signal, or options that may carry one. */
export type Call<O extends CallOptions = CallOptions> = AbortSignal | O;

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** How long the whole call may take, waits for a busy server included. */
  readonly timeoutMs?: number;
}

export interface WriteOptions extends CallOptions {
  /** Validate and admit, but store nothing. */
  readonly dryRun?: boolean;
  readonly fieldManager?: string;
  /** What the server does about unknown or duplicate fields. */
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict';
}

export interface PatchOptions extends WriteOptions {
  readonly subresource?: 'status' | 'scale' | 'ephemeralcontainers' | 'resize';
}

export interface ApplyOptions extends PatchOptions {
  /** Take fields over from other managers instead of failing with a conflict. */
  readonly force?: boolean;
  /** Told that there was no such object before. */
  readonly onCreated?: () => void;
}

interface Preconditions {
  readonly uid?: string;
  readonly resourceVersion?: string;
}

export interface DeleteOptions extends CallOptions {
  readonly preconditions?: Preconditions;
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan';
  readonly gracePeriodSeconds?: number;
  readonly dryRun?: boolean;
}

export interface Selection {
  /** All namespaces when absent. */
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
}

export interface ListOptions extends CallOptions, Selection {
  /** Objects per request. The pages of one list are of one version of the collection. */
  readonly pageSize?: number;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan';
}

export interface DeleteCollectionOptions extends DeleteOptions, Selection {}

export interface LogOptions extends CallOptions {
  readonly container?: string;
  readonly follow?: boolean;
  readonly previous?: boolean;
  readonly timestamps?: boolean;
  readonly sinceSeconds?: number;
  readonly sinceTime?: string;
  readonly tailLines?: number;
  readonly limitBytes?: number;
}

export interface ConnectOptions extends CallOptions {
  /** The protocol to switch to: `SPDY/3.1` or `websocket`. */
  readonly protocol: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** `command`, `container`, `stdin` … as the subresource spells them. */
  readonly query?: Query;
}

export function optionsOf<O extends CallOptions>(call: Call<O> | undefined): Partial<O> {
  if (call === undefined) return {};
  return call instanceof AbortSignal ? ({ signal: call } as Partial<O>) : call;
}

export function selectionQuery(selection: Selection): Query {
  return { labelSelector: selection.labelSelector, fieldSelector: selection.fieldSelector };
}

export function writeQuery(
  options: Partial<WriteOptions>,
  defaultManager: string | undefined,
): Query {
  return {
    dryRun: options.dryRun ? 'All' : undefined,
    fieldManager: options.fieldManager ?? defaultManager,
    fieldValidation: options.fieldValidation,
  };
}

/** The body of a DELETE, or undefined when the server's defaults are meant. */
export function deleteBody(options: Partial<DeleteOptions>): object | undefined {
  const { preconditions, propagationPolicy, gracePeriodSeconds } = options;
  const dryRun = options.dryRun ? ['All'] : undefined;
  const body = { preconditions, propagationPolicy, gracePeriodSeconds, dryRun };
  if (Object.values(body).every((value) => value === undefined)) return undefined;
  return { apiVersion: 'v1', kind: 'DeleteOptions', ...body };
}
