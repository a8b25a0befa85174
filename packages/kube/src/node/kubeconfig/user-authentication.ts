import { type ExecPlugin, execPlugin } from './exec-plugin.ts';
import { fitsHeader } from './header-value.ts';
import { impersonationHeaders } from './impersonation-headers.ts';
import { type KubeconfigUser, type NamedUser, placeOf } from './kubeconfig.ts';
import type { KubeconfigTrust, Permission } from './kubeconfig-trust.ts';
import { fileRefusal, type PemSource, pemSource } from './pem-source.ts';
import type { Place } from './place.ts';

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

/**
 * Throws a `KubeconfigError` when the trust in the kubeconfig does not extend to it, when kubectl could not use it either, and when it has half a
 * credential (a key without its certificate, a password without a name), which kubectl drops without a word.
 */
export function userAuthentication(entry: NamedUser, trust: KubeconfigTrust): UserAuthentication {
  const { user } = entry;
  const place = placeOf(entry).key('user');
  refuseAuthProvider(user, place);
  const exec = user.exec && execPlugin(user.exec, entry.name, place.key('exec'));
  if (exec && trust.execPlugins === 'forbidden') throw execRefusal(place.key('exec'));
  if (user.as && trust.impersonation === 'forbidden') throw impersonationRefusal(place.key('as'));
  const secrets = {
    certificate: clientCertificate(user, place, trust.files),
    authorization: authorization(user, place),
    tokenFile: tokenFile(user, place, trust.files),
  };
  const authenticated = Object.values(secrets).some((secret) => secret !== undefined);
  return {
    ...secrets,
    exec: authenticated ? undefined : exec,
    impersonation: impersonationHeaders(user, place),
  };
}

function clientCertificate(user: KubeconfigUser, place: Place, files: Permission) {
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

function tokenFile(user: KubeconfigUser, place: Place, files: Permission) {
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

function impersonationRefusal(place: Place) {
  return place.problem(
    'acts as another user, and this kubeconfig is not trusted to do that; use the credentials of that user instead',
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
