import type { Client, Clock, Random } from '@liqo/kube';
import { connectKubeconfig, type Kubeconfig, parseKubeconfig } from '@liqo/kube/node';
import type { Identity, SubjectWithUsers } from './subject.ts';

/** What every cluster that can be judged has in common. */
export interface ConnectableCluster {
  readonly kubeconfigText: string;
  kubeconfigFor(user: { name: string; groups: readonly string[] }): string | Promise<string>;
}

export interface SubjectOptions {
  readonly clock: Clock;
  readonly random: Random;
  forgetHistory(): Promise<void>;
}

/** Judges a cluster over the network, with its own kubeconfigs. */
export async function connectSubject(
  cluster: ConnectableCluster,
  options: SubjectOptions,
): Promise<SubjectWithUsers> {
  const warnings: string[] = [];
  const connect = (config: Kubeconfig): Promise<Client> =>
    connectKubeconfig(config, {
      clock: options.clock,
      random: options.random,
      fieldManager: 'conformance',
      onWarning: (warning) => warnings.push(warning),
    });
  const admin = parseKubeconfig(cluster.kubeconfigText, 'kubeconfig');
  return {
    client: await connect(admin),
    warnings,
    forgetHistory: () => options.forgetHistory(),
    as: async (who) => connect(await kubeconfigOf(cluster, admin, who)),
  };
}

async function kubeconfigOf(
  cluster: ConnectableCluster,
  admin: Kubeconfig,
  who: Identity,
): Promise<Kubeconfig> {
  if (who !== 'nobody' && 'name' in who) {
    return parseKubeconfig(await cluster.kubeconfigFor(who), 'kubeconfig');
  }
  const [user] = admin.users ?? [];
  if (!user) throw new Error('Cannot connect as somebody else: the kubeconfig has no user');
  return { ...admin, users: [{ ...user, user: credentialsOf(who) }] };
}

function credentialsOf(who: Exclude<Identity, { name: string }>) {
  if (who === 'nobody') return {};
  if ('token' in who) return { token: who.token };
  return {
    'client-certificate-data': encode(who.certificate),
    'client-key-data': encode(who.privateKey),
  };
}

function encode(pem: string): string {
  return Buffer.from(pem).toString('base64');
}
