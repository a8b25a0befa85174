import { generateKeyPairSync, randomBytes } from 'node:crypto';
import {
  CertificateSigningRequest,
  checkDnsLabel,
  checkLabelValue,
  Deployment,
  RoleBinding,
} from '@liqo/kube';
import type { Cluster } from '../cluster/connect-cluster.ts';
import { defineCommand, type Invocation, noOperands } from '../command.ts';
import { attempt } from '../explain.ts';
import type { FlagTable } from '../flags/flag.ts';
import { connectionFlags, liqoNamespaceFlag, timeoutFlag } from '../flags/shared-flags.ts';
import { controllerManagerName } from '../info/server-version.ts';
import { openSide, stepContext } from '../peering/open-side.ts';
import { type PeeringSide, type StepContext, workStep } from '../peering/peering-side.ts';
import { ensureTenantNamespace } from '../peering/tenant-namespace.ts';
import { making } from '../peering/traces.ts';
import { forgeBindings } from '../peering-user/forge-bindings.ts';
import { forgePeeringUserKubeconfig } from '../peering-user/kubeconfig.ts';
import { peeringUserNames } from '../peering-user/names.ts';
import { requestCertificate } from '../peering-user/request-certificate.ts';
import { UserError } from '../user-error.ts';

const flags = {
  'consumer-cluster-id': {
    type: 'text',
    value: 'ID',
    required: true,
    check: checkDnsLabel,
    help: 'the consumer that may peer with the kubeconfig, and no other',
  },
  'tls-compatibility-mode': {
    type: 'choice',
    value: 'auto|true|false',
    choices: ['auto', 'true', 'false'],
    default: 'auto',
    help: 'whether its key is RSA in place of Ed25519; auto does as the installation does',
  },
  ...timeoutFlag('30s', 'how long it waits for the certificate'),
  ...liqoNamespaceFlag,
  ...connectionFlags,
} as const satisfies FlagTable;

type Call = Invocation<typeof flags>;

export const generatePeeringUser = defineCommand({
  path: ['generate', 'peering-user'],
  summary: 'prints a kubeconfig with which a consumer can peer, and nothing else',
  description:
    'Run by an administrator of this cluster, the provider: prints a kubeconfig for the administrator of one consumer, to be\n' +
    'used as the --remote-kubeconfig of liqoctl peer there. It is kept nowhere. liqoctl delete peering-user makes it useless.',
  examples: [
    'liqoctl generate peering-user --consumer-cluster-id rome > milan-for-rome.kubeconfig',
  ],
  operands: noOperands,
  flags,
  check: ({ flags: said }) =>
    checkLabelValue(peeringUserNames(said['consumer-cluster-id']).user).map(
      (fault) => `the name of the user ${fault}`,
    ),
  async run(call) {
    const { flags: said, print, progress, suggest } = call;
    const consumerID = said['consumer-cluster-id'];
    const remove = suggest(`delete peering-user --consumer-cluster-id ${consumerID}`);
    const doing = `generate a peering user for "${consumerID}"`;
    const cluster = await call.connect();
    const side = await openSide(call, said, { doing, peer: consumerID });
    await refuseSecondUser(call, side, { doing, remove });
    const hint = `Undo it with ${remove}`;
    const context = stepContext(call, { timeoutMs: said.timeout, hint });
    print(await generate(call, context, { side, cluster }));
    progress.warn(
      `The kubeconfig is kept nowhere, works for "${consumerID}" alone, and is a credential: hand it over as one`,
    );
  },
});

async function generate(
  { flags: said }: Call,
  context: StepContext,
  { side, cluster }: { readonly side: PeeringSide; readonly cluster: Cluster },
): Promise<string> {
  const consumerID = said['consumer-cluster-id'];
  const names = peeringUserNames(consumerID);
  const tenantNamespace = await ensureTenantNamespace(context, side, consumerID);
  const isRsa = await wantsRsa(side, said, context.signal);
  const { privateKey: key } = isRsa
    ? generateKeyPairSync('rsa', { modulusLength: 2048 })
    : generateKeyPairSync('ed25519');
  // A name that no later user will have: the certificate cannot be revoked, but the rights of its name can.
  const commonName = `${names.user}-${randomBytes(16).toString('hex')}`;
  const { forgeCertificateRequest } = await import('@liqo/kube/x509');
  const subject = { commonName, organization: 'liqo.io' };
  const request = forgeCertificateRequest({ subject, key });
  const certificatePem = await requestCertificate(context, side, { name: names.user, request });
  const { liqoNamespace } = side;
  const user = { consumerID, commonName, liqoNamespace, tenantNamespace };
  for (const binding of forgeBindings(user)) await bind(context, side, binding);
  const keyPem = key.export({ format: 'pem', type: 'pkcs8' }).toString();
  const parts = { consumerID, tenantNamespace, certificatePem, keyPem };
  return forgePeeringUserKubeconfig(cluster, parts);
}

async function bind(context: StepContext, side: PeeringSide, binding: RoleBinding): Promise<void> {
  const name = `RoleBinding "${binding.metadata?.name}"`;
  const step = {
    verb: `create the ${name}`,
    doing: `Creating the ${name}`,
    done: `${name} is created`,
    trace: making(`the ${name}`),
  };
  await workStep(context, side, step, () =>
    side.client.create(RoleBinding, binding, context.signal),
  );
}

/** Its kubeconfig was printed once and is kept nowhere: a second one takes the place of the first. */
async function refuseSecondUser(
  { flags: said, signal }: Call,
  { client }: PeeringSide,
  { doing, remove }: { readonly doing: string; readonly remove: string },
): Promise<void> {
  const { user, reader } = peeringUserNames(said['consumer-cluster-id']);
  const key = { namespace: said['liqo-namespace'], name: reader };
  const binding = await attempt(doing, client.get(RoleBinding, key, signal));
  const requests = client.get(CertificateSigningRequest, { name: user }, signal);
  const request = await attempt(doing, requests);
  if (!binding && !request) return;
  throw new UserError(`Cannot ${doing}: there is one already`, {
    hint: `Use the kubeconfig that was printed for it, or make it useless first: ${remove}`,
  });
}

async function wantsRsa(
  { client, liqoNamespace: namespace }: PeeringSide,
  said: Call['flags'],
  signal: AbortSignal,
): Promise<boolean> {
  const mode = said['tls-compatibility-mode'];
  if (mode !== 'auto') return mode === 'true';
  const key = { namespace, name: controllerManagerName };
  const deployment = await attempt('see the installation', client.get(Deployment, key, signal));
  const args = deployment?.spec?.template.spec?.containers[0]?.args ?? [];
  return args.some((arg) => /^--tls-compatibility-mode(=true)?$/.test(arg));
}
