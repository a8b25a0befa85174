import { annotations } from '@liqo/api';
import {
  type Client,
  type Clock,
  keyOf,
  mergePatch,
  Namespace,
  Secret,
  type Stored,
} from '@liqo/kube';
import { printNonceRecord, recordNonce } from '@liqo/model';

export interface NonceIssuer {
  readonly client: Client;
  readonly clock: Clock;
  /** As that of node:crypto. */
  readonly randomBytes: (size: number) => Uint8Array;
}

/** A Secret for a nonce, and the tenant namespace that it is in. */
export interface NonceHolder {
  readonly namespace: Stored<Namespace>;
  readonly secret: Stored<Secret>;
}

const nonceBytes = 64;

/**
 * Puts a new nonce into the Secret. The one that was there is worth nothing from the first write on; a process that dies
 * before the second write leaves a nonce that is not the recorded one, which is replaced. A write is refused if the object has
 * changed since it was read.
 */
export async function issueNonce(
  { client, clock, randomBytes }: NonceIssuer,
  { namespace, secret }: NonceHolder,
  signal: AbortSignal,
): Promise<Stored<Secret>> {
  const nonce = Buffer.from(randomBytes(nonceBytes)).toString('base64');
  const record = printNonceRecord(recordNonce(nonce, clock.now()));
  const marks = { [annotations.issuedNonce]: record };
  const mark = mergePatch({ metadata: { ...versionOf(namespace), annotations: marks } });
  await client.patch(Namespace, keyOf(namespace), mark, { signal });
  const data = { nonce: Buffer.from(nonce).toString('base64') };
  const patch = mergePatch({ metadata: versionOf(secret), data });
  return client.patch(Secret, keyOf(secret), patch, { signal });
}

function versionOf({ metadata }: Stored<Secret> | Stored<Namespace>) {
  const { uid, resourceVersion } = metadata;
  return { uid, resourceVersion };
}

/** The text that the consumer signs; empty where there is none. */
export function nonceOf({ data }: Secret): string {
  return Buffer.from(data?.nonce ?? '', 'base64').toString('latin1');
}
