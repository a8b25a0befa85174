import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

const root = import.meta.dirname;
const page = 'docs/reasons.md';

/** The packages whose objects and Events have reasons. */
const packages = ['admission', 'controllers', 'model', 'virtual-kubelet'] as const;

/** Of statuses of the API server, which Kubernetes documents. */
const ofKubernetes: ReadonlySet<string> = new Set([
  'BadRequest',
  'Forbidden',
  'Infeasible',
  'InternalError',
  'Invalid',
  'NotFound',
  'ServiceUnavailable',
  'Unauthorized',
]);

/** Reasons that no page about a kind explains. */
const explanations: Readonly<Record<string, string>> = {
  APIServerReady: 'the API server of the peer answers',
  AccessTaken: 'an object of the name that the rights of a virtual kubelet need belongs to others',
  CertificateRenewed: 'the certificate of an identity was renewed',
  ConnectionError: 'the network of the peer reports an error',
  ConnectionEstablished: 'the network of the peer is connected',
  ConnectionMissing: 'there is no network connection to the peer',
  ConnectionPending: 'the network of the peer is not connected yet',
  ContainerStatusUnknown:
    'what became of a container is not known: its pod at the provider is gone',
  CopyAbandoned: 'the peer refuses the credentials: what was copied to it may still be there',
  DuplicateIdentity: 'another Secret leads to the same peer already: this one is not used',
  EphemeralContainersDenied: 'the provider does not allow the ephemeral container',
  EphemeralContainersUnsupported: 'the provider runs a version without ephemeral containers',
  ClusterNotSelected: 'the cluster selector does not select the provider',
  ClusterSelected: 'the cluster selector selects the provider',
  Expired: 'the offer was not refreshed in time',
  InvalidClusterKeys: 'the keys of this cluster cannot be used: nothing is signed with them',
  RenewalRefused: 'the provider refuses to renew the certificate: the one in use stays',
  RightsRemain: 'a RoleBinding that the administrator made still gives the consumer rights',
  VirtualKubelet: 'the certificate request is of the virtual kubelet of that Node, and is approved',
  FailedCreatePod:
    'the provider could not create the pod of a ShadowPod; the message has the answer of its API server',
  IdentityManagerApproval: 'the provider has approved a certificate request of its consumer',
  InvalidNonce: 'the Secret has no nonce that can be signed',
  InvalidSecret: 'the Secret has no kubeconfig that can be used',
  KubeletReady: 'the virtual node can run pods',
  NonceExpired: 'the nonce was not used within 24 hours: the consumer has to sign the new one',
  NonceGenerated: 'a nonce for a consumer was generated',
  NonceReplaced: 'a nonce that the controllers did not generate was replaced',
  NonceUsed: 'a nonce was used by a Tenant, and is worth nothing from now on',
  PeerGone: 'the peer is given up: what it has of this cluster stays there',
  PodsAbandoned:
    'a virtual node was removed while its provider did not answer: its pods may still run there',
  QuotaNameTaken: 'a Quota of that name does not belong to the slice',
  ReadinessGatesNotReady: 'the pod runs, and a readiness gate is not met yet',
  RemotePodMissing: 'the pod at the provider is gone, and is created again',
  RemotePodTerminated:
    'the pod at the provider has ended and is gone; the ShadowPod tells its phase',
  UnknownAddress:
    'a certificate request of a virtual kubelet names an address that none of its pods has',
};

interface Explained {
  readonly meaning: string;
  /** Pages that name it. */
  readonly pages: readonly string[];
}

/** The reasons in the code of the product: of conditions, of Events, of pods that wait. */
export function listReasons(): readonly string[] {
  const literals = readSources().matchAll(/\b[rR]eason: '([A-Z]\w+)'/g);
  const found = new Set([
    ...Array.from(literals, ([, reason = '']) => reason),
    ...Object.keys(explanations),
  ]);
  return [...found].filter((reason) => !ofKubernetes.has(reason)).toSorted();
}

/** The code of the product, without its tests. */
export function readSources(): string {
  return packages
    .flatMap((name) =>
      readdirSync(join(root, 'packages', name, 'src'), { recursive: true, encoding: 'utf8' })
        .filter((path) => path.endsWith('.ts') && !/\.test\.|testing\//.test(path))
        .map((path) => readFileSync(join(root, 'packages', name, 'src', path), 'utf8')),
    )
    .join('\n');
}

/** What the pages say of a reason; undefined if none does. */
export function explainReason(reason: string): Explained | undefined {
  const pages = readPages().filter(({ text }) => text.includes(`\`${reason}\``));
  const own = explanations[reason];
  if (own === undefined && pages.length === 0) return undefined;
  const meanings = pages.flatMap(({ text }) => meaningIn(text, reason) ?? []);
  return { meaning: own ?? meanings[0] ?? '', pages: pages.map(({ path }) => path) };
}

/** The last cell of the row of a table that names the reason, without links: those lead from another folder. */
function meaningIn(text: string, reason: string): string | undefined {
  const row = text.split('\n').find((line) => line.startsWith('|') && hasCell(line, reason));
  const cells = row?.split(/(?<!\\)\|/).map((cell) => cell.trim()) ?? [];
  return cells.at(-2)?.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1') || undefined;
}

function hasCell(line: string, reason: string): boolean {
  return line.split('|').some((cell) => cell.trim().split(', ').includes(`\`${reason}\``));
}

function readPages(): readonly { readonly path: string; readonly text: string }[] {
  return ['kinds', 'offloading', 'guides'].flatMap((folder) =>
    readdirSync(join(root, 'docs', folder))
      .filter((name) => name.endsWith('.md'))
      .toSorted()
      .map((name) => ({
        path: posix.join(folder, name),
        text: readFileSync(join(root, 'docs', folder, name), 'utf8'),
      })),
  );
}

export const reasonsPage = join(root, page);

/** The index of the reasons. */
export function renderReasonsPage(): string {
  const rows = listReasons().map((reason) => {
    const { meaning = '', pages = [] } = explainReason(reason) ?? {};
    const links = pages.map((path) => `[${posix.basename(path, '.md')}](${path})`);
    return `| \`${reason}\` | ${meaning} | ${links.join(', ')} |`;
  });
  return `${[
    '<!-- Generated from the code and the other pages: change them, then run `npm run reasons`. -->',
    '# Reasons',
    introduction,
    ['| reason | | more |', '|---|---|---|', ...rows].join('\n'),
  ].join('\n\n')}\n`;
}

const introduction = `Every reason that liqo-ts writes into conditions, Events and the status of pods. A reason is the same word in all of them. Those of
the API server itself, such as \`Forbidden\`, are those of Kubernetes. \`liqoctl why\` prints the reason of the first broken fact in
parentheses, and the command that repairs it.`;
