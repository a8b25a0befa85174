import type {
  AuthProviderConfig,
  ExecConfig,
  ExecEnvVar,
  Kubeconfig,
  KubeconfigCluster,
  KubeconfigContext,
  KubeconfigPreferences,
  KubeconfigUser,
} from './kubeconfig.ts';
import { named } from './named-entries.ts';
import type { Place } from './place.ts';
import { anything, base64, flag, listOf, mapOf, record, text } from './shape.ts';
import { readYamlDocument } from './yaml-document.ts';

/**
 * Reads the text of a kubeconfig, YAML or JSON; `source` is the name for it in messages, usually the file.
 *
 * Refuses what kubectl cannot read either (wrong types, bad base64, names used twice), and some faults that kubectl reads
 * past in silence: keys written twice, entries without a name, a second document. Unknown fields are kept. Whether an
 * entry can be used is asked when it is used, so one bad entry does not spoil the others.
 */
export function parseKubeconfig(text: string, source: string): Kubeconfig {
  const field = readYamlDocument(text, source);
  if (field.value === null) return emptyKubeconfig;
  const document = kubeconfig(field);
  refuseOtherKinds(document, field.place);
  return { ...emptyKubeconfig, ...document };
}

const emptyKubeconfig: Kubeconfig = { clusters: [], users: [], contexts: [] };

const extensions = named('extension', anything);

const cluster = record<KubeconfigCluster>({
  server: text,
  'tls-server-name': text,
  'insecure-skip-tls-verify': flag,
  'certificate-authority': text,
  'certificate-authority-data': base64,
  'proxy-url': text,
  'disable-compression': flag,
  extensions,
});

const exec = record<ExecConfig>({
  apiVersion: text,
  command: text,
  args: listOf(text),
  env: listOf(record<ExecEnvVar>({ name: text, value: text })),
  installHint: text,
  provideClusterInfo: flag,
  interactiveMode: text,
});

const user = record<KubeconfigUser>({
  'client-certificate': text,
  'client-certificate-data': base64,
  'client-key': text,
  'client-key-data': base64,
  token: text,
  tokenFile: text,
  username: text,
  password: text,
  as: text,
  'as-uid': text,
  'as-groups': listOf(text),
  'as-user-extra': mapOf(listOf(text)),
  'auth-provider': record<AuthProviderConfig>({ name: text, config: mapOf(text) }),
  exec,
  extensions,
});

const context = record<KubeconfigContext>({
  cluster: text,
  user: text,
  namespace: text,
  extensions,
});

const kubeconfig = record<Kubeconfig>({
  apiVersion: text,
  kind: text,
  clusters: named('cluster', cluster),
  users: named('user', user),
  contexts: named('context', context),
  'current-context': text,
  preferences: record<KubeconfigPreferences>({ colors: flag, extensions }),
  extensions,
});

function refuseOtherKinds({ apiVersion, kind }: Kubeconfig, place: Place): void {
  if (kind && kind !== 'Config') {
    throw place.key('kind').problem(`is "${kind}" but a kubeconfig is of kind "Config"`);
  }
  if (apiVersion && apiVersion !== 'v1') {
    throw place.key('apiVersion').problem(`is "${apiVersion}" but only "v1" is known`);
  }
}
