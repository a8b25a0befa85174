import type { Clock } from '../../clock.ts';
import { fitsHeader } from './header-value.ts';
import { isSameKeyPair, type KeyPair, keyPairProblem } from './key-pair.ts';
import { fixedValue, type LiveValue } from './live-value.ts';
import { type PemSource, readPem, readReferredFile } from './pem-source.ts';
import { ReloadedValue } from './reloaded-value.ts';
import type { UserAuthentication } from './user-authentication.ts';

/** Who we are to the server at one moment. */
export interface Identity {
  readonly authorization: string | undefined;
  readonly keyPair: KeyPair | undefined;
}

export interface ReloadContext {
  readonly clock: Clock;
  readonly onStale?: ((error: unknown) => void) | undefined;
}

/** The identity that a user entry itself holds or that its files hold; files are read again when they may have changed. */
export function ownIdentity(user: UserAuthentication, context: ReloadContext): LiveValue<Identity> {
  const authorization = liveAuthorization(user, context);
  const keyPair = liveKeyPair(user, context);
  const both = async (ask: 'current' | 'refresh', signal?: AbortSignal): Promise<Identity> => ({
    authorization: await authorization[ask](signal),
    keyPair: await keyPair[ask](signal),
  });
  return {
    current: (signal) => both('current', signal),
    refresh: (signal) => both('refresh', signal),
  };
}

function liveAuthorization(
  { authorization, tokenFile }: UserAuthentication,
  context: ReloadContext,
): LiveValue<string | undefined> {
  if (!tokenFile) return fixedValue(authorization);
  const read = async () => {
    const token = (await readReferredFile(tokenFile.path, tokenFile.place)).trim();
    if (!token) throw tokenFile.place.problem(`the file "${tokenFile.path}" is empty`);
    if (fitsHeader(token)) return `Bearer ${token}`;
    throw tokenFile.place.problem(`the file "${tokenFile.path}" holds more than a token`);
  };
  const isSame = (one: string, other: string) => one === other;
  return new ReloadedValue({ ...context, read, isSame, initial: authorization });
}

function liveKeyPair(
  { certificate }: UserAuthentication,
  context: ReloadContext,
): LiveValue<KeyPair | undefined> {
  if (!certificate) return fixedValue(undefined);
  const read = () => readKeyPair(certificate.cert, certificate.key);
  return new ReloadedValue({ ...context, read, isSame: isSameKeyPair });
}

/** The two files are replaced one after the other; in between they do not fit, which counts as a failed read. */
async function readKeyPair(cert: PemSource, key: PemSource): Promise<KeyPair> {
  const pair = { cert: await readPem(cert), key: await readPem(key) };
  const problem = keyPairProblem(pair);
  if (problem) throw cert.place.problem(problem);
  return pair;
}
