import { type ExecPlugin, execPlugin } from './exec-plugin.ts';
import { fitsHeader } from './header-value.ts';
import { impersonationHeaders } from './impersonation-headers.ts';
import { type KubeconfigUser, type NamedUser, placeOf } from './kubeconfig.ts';
import { type FilePolicy, fileRefusal, type PemSource, pemSource } from './pem-source.ts';
import type { Place } from './place.ts';

/** Whether a kubeconfig may have programs run. One that came from somebody else must not. */
export type ExecPolicy = 'allowed' | 'forbidden';

/** How a user proves who they are: a user entry, checked. */
export interface UserAuthentication {
  readonly certificate: { readonly cert: PemSource; readonly key: PemSource } | undefined;
  /** The value of the header, when it never changes. With a token file: what counts until the file could be read. */
  readonly authorization: string | undefined;
  readonly tokenFile: { readonly path: string; readonly place: Place } | undefined;
  /** Only when there is nothing of the above: to kubectl a plugin is the last resort. */
  readonly exec: ExecPlugin | undefined;
  readonly impersonation: Readonly<Record<string, string | string[]>>;
}

export interface UserPolicies {
  readonly files: FilePolicy;
  readonly execPlugins: ExecPolicy;
}

/**
 * Throws a `KubeconfigError` when a policy forbids the user, when kubectl could not use it either, and when it has half a
 * credential (a key without its certificate, a password without a name), which kubectl drops without a word.
 */
export function userAuthentication(entry: NamedUser, policies: UserPolicies): UserAuthentication {
  const { user } = entry;
  const place = placeOf(entry).key('user');
  refuseAuthProvider(user, place);
  const exec = user.exec && execPlugin(user.exec, entry.name, place.key('exec'));
  if (exec && policies.execPlugins === 'forbidden') throw execRefusal(place.key('exec'));
  const secrets = {
    certificate: clientCertificate(user, place, policies.files),
    authorization: authorization(user, place),
    tokenFile: tokenFile(user, place, policies.files),
  };
  const authenticated = Object.values(secrets).some((secret) => secret !== undefined);
  return {
    ...secrets,
    exec: authenticated ? undefined : exec,
    impersonation: impersonationHeaders(user, place),
  };
}

function clientCertificate(user: KubeconfigUser, place: Place, files: FilePolicy) {
  const cert = pemSource(user, 'client-certificate', place, files);
  const key = pemSource(user, 'client-key', place, files);
  if (cert && key) return { cert, key };
  if (cert) throw cert.place.problem('has no key to it; add "client-key" or "client-key-data"');
  if (key) {
    const needed = '"client-certificate" or "client-certificate-data"';
    throw key.place.problem(`has no certificate to it; add ${needed}`);
  }
  return undefined;
}

function authorization(user: KubeconfigUser, place: Place): string | undefined {
  const { token, username = '', password = '' } = user;
  if (token && (username || password)) {
    throw place.key('token').problem('is set, and so are "username" and "password"; keep one way');
  }
  if (token && !fitsHeader(token)) {
    throw place.key('token').problem('has a line break or another character no header can hold');
  }
  if (token) return `Bearer ${token}`;
  if (!username && password) throw place.key('password').problem('is set without "username"');
  if (!username) return undefined;
  if (username.includes(':'))
    throw place.key('username').problem('has a colon, which cannot be sent');
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

function tokenFile(user: KubeconfigUser, place: Place, files: FilePolicy) {
  if (!user.tokenFile) return undefined;
  const at = place.key('tokenFile');
  if (user.username || user.password) {
    throw at.problem('is set, and so are "username" and "password"; keep one way');
  }
  if (files === 'forbidden') throw fileRefusal(at, 'token');
  return { path: user.tokenFile, place: at };
}

function execRefusal(place: Place) {
  return place.problem(
    'is a program to be run, and this kubeconfig is not trusted to have programs run; ' +
      'use a token or a client certificate instead',
  );
}

function refuseAuthProvider(user: KubeconfigUser, place: Place): void {
  const provider = user['auth-provider'];
  if (!provider) return;
  const replacement = replacements.get(provider.name ?? '') ?? 'a credential plugin';
  throw place
    .key('auth-provider')
    .problem(`"${provider.name ?? ''}" is not supported; use "exec" with ${replacement} instead`);
}

/** What took the place of the providers that were built into kubectl. */
const replacements: ReadonlyMap<string, string> = new Map([
  ['gcp', '"gke-gcloud-auth-plugin"'],
  ['azure', '"kubelogin"'],
  ['oidc', '"kubectl oidc-login"'],
]);
