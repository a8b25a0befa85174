import type { Client, Clock, Random, Transport } from '@liqo/kube';
import {
  connectClient,
  loadKubeconfig,
  resolveConnection,
  type SelectedContext,
  selectContext,
} from '@liqo/kube/node';
import manifest from '../../package.json' with { type: 'json' };
import { explainAt, type Where } from '../explain.ts';
import type { Surroundings } from '../surroundings.ts';

/** What may be said on the command line about the cluster to use. */
export interface ClusterChoice {
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
  readonly cluster?: string | undefined;
  readonly user?: string | undefined;
}

export interface Cluster {
  readonly client: Client;
  /** The URL of its API server. */
  readonly server: string;
  /** How the kubeconfig leads to it, without who to be there. */
  readonly endpoint: SelectedContext['cluster']['cluster'];
}

interface ConnectOptions {
  readonly where: Where;
  readonly env: Surroundings['env'];
  readonly clock: Clock;
  readonly random: Random;
  /** What the server warns of, and what credential plugins say. */
  readonly onMessage: (text: string) => void;
  /** What every request passes on its way. */
  readonly wrap?: (transport: Transport) => Transport;
}

/** A person waits: a server that is silent for this long is not there. */
const answerWithinMs = 15_000;

/** The cluster that is meant. Nothing is sent before the first call. */
export async function connectCluster(
  choice: ClusterChoice,
  { where, env, clock, random, onMessage, wrap = (transport) => transport }: ConnectOptions,
): Promise<Cluster> {
  const explained = (error: unknown) => {
    throw explainAt(where, `choose a ${where === 'remote' ? 'remote ' : ''}cluster`, error);
  };
  const selected = await selectCluster(choice, env).catch(explained);
  const onPluginMessage = onMessage;
  const connecting = resolveConnection(selected, { clock, env, onPluginMessage });
  const connection = await connecting.catch(explained);
  const client = connectClient(connection, {
    clock,
    random,
    timeoutMs: answerWithinMs,
    fieldManager: 'liqoctl',
    userAgent: `liqoctl/${manifest.version}`,
    onWarning: onMessage,
  });
  const server = connection.server.href.replace(/\/$/, '');
  return { client: client.withTransport(wrap), server, endpoint: selected.cluster.cluster };
}

async function selectCluster(
  { kubeconfig, ...choice }: ClusterChoice,
  env: Surroundings['env'],
): Promise<SelectedContext> {
  const config = await loadKubeconfig({ path: kubeconfig, env, homeDir: env.HOME });
  return selectContext(config, choice);
}
