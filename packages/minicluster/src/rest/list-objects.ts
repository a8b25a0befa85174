import { ApiError } from '@liqo/kube';
import type { Item } from '../store/collection.ts';
import type { Store } from '../store/store.ts';
import type { ApiRequest } from './api-request.ts';
import { ObjectStore } from './object-store.ts';
import { badRequest, expired, type FieldProblem, invalid } from './refusal.ts';
import type { Resource } from './resource.ts';
import { readSelection, type Selection } from './selection.ts';

export interface ObjectPage {
  readonly items: readonly Item[];
  readonly metadata: {
    readonly resourceVersion: string;
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
}

/** Where a list goes on: which version it is of, and the last key it gave. */
interface Continuation {
  readonly revision: number;
  readonly after: string;
}

export function listObjects(store: Store, resource: Resource, request: ApiRequest): ObjectPage {
  const selection = readSelection(resource, request);
  const limit = readLimit(request.query.get('limit'));
  const token = request.query.get('continue');
  const from = token ? readContinuation(token) : undefined;
  const revision = from?.revision ?? revisionToList(store, request);
  const objects = new ObjectStore(store, resource);
  const all = objects.collection.listAt(revision);
  if (!all) throw tooOldToContinue(from !== undefined);
  const covered = all
    .map((item) => objects.view(item))
    .filter((item) => isAfter(from, item) && selection.covers(item));
  const page = pageOf(covered, limit, revision, selection);
  // Lists of custom resources say that there is no more, where others say nothing.
  return resource.custom ? { ...page, metadata: { continue: '', ...page.metadata } } : page;
}

function pageOf(
  covered: readonly Item[],
  limit: number,
  revision: number,
  selection: Selection,
): ObjectPage {
  const resourceVersion = String(revision);
  const selected = covered.filter((item) => selection.matches(item));
  const items = limit > 0 ? selected.slice(0, limit) : selected;
  const last = limit > 0 && !selection.isOne ? items[limit - 1] : undefined;
  // There is more when anything follows: whether it is selected is only seen when it is read.
  if (!last || last === covered.at(-1)) return { items, metadata: { resourceVersion } };
  const token = writeContinuation({ revision, after: keyOf(last) });
  const remaining = covered.length - limit;
  // With a selector the real server does not know how many are left.
  const counted = selection.isEverything ? { remainingItemCount: remaining } : {};
  return { items, metadata: { resourceVersion, continue: token, ...counted } };
}

/** Any list is of the newest version unless exactly another one was asked for. */
function revisionToList(store: Store, request: ApiRequest): number {
  const match = request.query.get('resourceVersionMatch');
  const asked = request.query.get('resourceVersion') ?? '';
  if (match && !asked) throw matchWithoutVersion();
  if (asked === '' || asked === '0') return store.revision;
  const revision = parseRevision(asked);
  if (revision === undefined) throw badRequest(`invalid resource version: ${noVersion(asked)}`);
  if (revision > store.revision) throw fromTheFuture(revision, store.revision);
  return match === 'Exact' ? revision : store.revision;
}

export function parseRevision(text: string): number | undefined {
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

/** What the server says of a version that is none. */
export function noVersion(text: string): string {
  return `resourceVersion: Invalid value: "${text}": strconv.ParseUint: parsing "${text}": invalid syntax`;
}

function matchWithoutVersion() {
  const problem: FieldProblem = {
    field: 'resourceVersionMatch',
    reason: 'FieldValueForbidden',
    message: 'Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided',
  };
  return invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', [problem]);
}

function fromTheFuture(asked: number, current: number): ApiError {
  const message = `Timeout: Too large resource version: ${asked}, current: ${current}`;
  const causes = [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }];
  const details = { causes, retryAfterSeconds: 1 };
  const status = { status: 'Failure', code: 504, reason: 'Timeout', message, details } as const;
  return new ApiError(status, { retryAfterMs: 1000 });
}

function readLimit(text: string | null): number {
  if (text === null || /^-?\d+$/.test(text)) return Number(text ?? 0);
  throw badRequest(`strconv.ParseInt: parsing "${text}": invalid syntax`);
}

function keyOf({ metadata }: Item): string {
  return metadata.namespace ? `${metadata.namespace}/${metadata.name}` : metadata.name;
}

function isAfter(from: Continuation | undefined, item: Item): boolean {
  return from === undefined || keyOf(item) > from.after;
}

function writeContinuation(from: Continuation): string {
  return btoa(JSON.stringify({ v: 'meta.k8s.io/v1', rv: from.revision, start: from.after }))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

function readContinuation(token: string): Continuation {
  try {
    const { rv, start } = JSON.parse(atob(token.replaceAll('-', '+').replaceAll('_', '/')));
    if (typeof rv === 'number' && typeof start === 'string') return { revision: rv, after: start };
  } catch {
    // Not one of ours: said below.
  }
  throw badRequest('invalid continue token: continue key is not valid');
}

function tooOldToContinue(continued: boolean) {
  return expired(
    continued
      ? 'The provided continue parameter is too old to display a consistent list result. Start a new list without it.'
      : 'The resourceVersion for the provided list is too old.',
  );
}
