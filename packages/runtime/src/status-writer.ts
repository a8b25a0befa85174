import {
  type Call,
  type CallOptions,
  type Client,
  diffMergePatch,
  isJsonObject,
  type Json,
  type Kind,
  type KubeObject,
  keyOf,
  mergePatch,
  optionsOf,
  type Stored,
} from '@liqo/kube';
import { boundMessages } from './bound-messages.ts';

/** An object with a status, whatever is in it. */
export interface StatusObject extends KubeObject {
  readonly status?: unknown;
}

export interface StatusWriteOptions extends CallOptions {
  /** That go along with a change, for kinds whose status subresource takes them, as that of pods does. */
  readonly labels?: Readonly<Record<string, string>>;
}

/**
 * Makes the status of the object what it should be, and returns the object as it is stored then.
 *
 * Messages are bounded (`boundMessages`). Only what differs is sent, as a merge patch on the status subresource; when nothing differs, nothing is sent. A
 * `null` and an absent field are the same here.
 *
 * `object` is what the decision was based on, so the patch carries its `resourceVersion`: a merge patch replaces lists
 * such as conditions whole, and would silently undo what somebody else wrote meanwhile. When there was anything of the
 * sort it throws a conflict, for the caller to decide anew. The version also stands for the UID: an object that was
 * deleted and made again never has a version that the old one had.
 */
export async function writeStatus<T extends StatusObject>(
  client: Client,
  kind: Kind<T>,
  object: Stored<T>,
  status: T['status'],
  call?: Call<StatusWriteOptions>,
): Promise<Stored<T>> {
  const bounded = boundMessages(object.status, status);
  const change = statusChange(object.status, bounded);
  if (change === undefined) return object;
  const { resourceVersion } = object.metadata;
  const { labels, signal } = optionsOf<StatusWriteOptions>(call);
  const metadata = { resourceVersion, ...(labels && { labels: { ...labels } }) };
  const patch = mergePatch({ metadata, status: change });
  return client.patch(kind, keyOf(object), patch, { subresource: 'status', signal });
}

function statusChange(before: unknown, after: unknown): Json | undefined {
  if (after === undefined) return before === undefined ? undefined : null;
  const change = diffMergePatch(before ?? {}, after);
  return isJsonObject(change) && Object.keys(change).length === 0 ? undefined : (change as Json);
}
