import type { JsonObject } from '@liqo/kube';
import type { ApiCall } from './api-call.ts';

/**
 * Writes that could hit something else than was meant: deletions of whatever has the name by then, and changes that undo
 * what somebody else has just done. Whether that happens in a story is luck, so every write is looked at.
 */
export function findCarelessWrites(calls: readonly ApiCall[]): string[] {
  const careless = calls.flatMap((call) => {
    const why = whyCareless(call);
    return why === undefined ? [] : [`${call.who} ${call.verb} ${call.resource} ${why}`];
  });
  return [...new Set(careless)];
}

/** For the end of a test, whatever it was about. */
export function refuseCarelessWrites(calls: readonly ApiCall[]): void {
  const careless = findCarelessWrites(calls);
  if (careless.length > 0) throw new Error(`Careless writes: ${careless.join('; ')}`);
}

function whyCareless(call: ApiCall): string | undefined {
  const { verb, resource } = call;
  if (verb === 'delete') return namesVictim(bodyOf(call)) ? undefined : 'does not say whom, by UID';
  if (resource === 'pods/eviction') {
    const { deleteOptions } = bodyOf(call);
    return namesVictim(deleteOptions) ? undefined : 'does not say whom, by UID';
  }
  if (verb === 'update' || (isMergePatch(call) && replacesList(bodyOf(call)))) {
    return versionOf(bodyOf(call)) ? undefined : 'does not say what it has seen, by version';
  }
  return undefined;
}

/** Whoever applies owns what is in it, and is told by the server of others who do. */
function isMergePatch({ verb, headers }: ApiCall): boolean {
  return verb === 'patch' && headers?.['content-type'] === 'application/merge-patch+json';
}

/** Over a network it comes as bytes. */
function bodyOf({ body = '' }: ApiCall): JsonObject {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  return text === '' ? {} : JSON.parse(text);
}

function namesVictim(options: unknown): boolean {
  const { preconditions } = (options ?? {}) as { preconditions?: { uid?: string } };
  return preconditions?.uid !== undefined;
}

function versionOf({ metadata }: JsonObject): string | undefined {
  return (metadata as { resourceVersion?: string } | undefined)?.resourceVersion;
}

/** A merge patch replaces a list as a whole, with what somebody else has put into it. */
function replacesList(patch: unknown): boolean {
  if (Array.isArray(patch)) return true;
  if (typeof patch !== 'object' || patch === null) return false;
  return Object.values(patch).some(replacesList);
}
