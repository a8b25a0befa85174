import { EventEmitter } from 'node:events';
import type { Client, LimitBounds } from '@liqo/kube';
import {
  createLogger,
  type EventRecorder,
  type Logger,
  type LogLevel,
  type ManagerOptions,
  Metrics,
  observeClient,
  ownProcess,
  type Runnable,
  startEventRecorder,
  startManager,
  startMemoryKeeper,
} from '@liqo/runtime';
import type { Surroundings } from './surroundings.ts';

interface Tools {
  readonly home: Client;
  readonly connectPeer: (kubeconfig: string) => Promise<Client>;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Events are written through the client that is given: that of a leader is fenced. */
  readonly startEvents: (client: Client) => EventRecorder;
}

export interface ProcessOptions {
  /** `liqo-controller-manager`: in logs, events and requests. */
  readonly name: string;
  /** This process among its replicas. */
  readonly instance: string;
  readonly logLevel: LogLevel;
  /** How much it may ask of its own cluster at a time. */
  readonly limit?: LimitBounds;
  /** A kubeconfig of its own cluster, where the usual places do not count. */
  readonly kubeconfigPath?: string;
  readonly allowInsecurePeers: boolean;
  readonly health?: ManagerOptions['health'];
  /** With the health pages when absent. */
  readonly metricsServer?: ManagerOptions['metricsServer'];
  readonly leaderElection?: Pick<NonNullable<ManagerOptions['leaderElection']>, 'lease'>;
  readonly runnables: (tools: Tools) => readonly Runnable[];
}

/** Runs the parts of a process until it is told to end, and ends them in order. Throws what ended it otherwise. */
export async function runManager(options: ProcessOptions, around: Surroundings): Promise<void> {
  const { clock, random, stderr, signal } = around;
  const { name, instance, logLevel, limit, kubeconfigPath, health, metricsServer, leaderElection } =
    options;
  const log = createLogger({ level: logLevel, name, clock, destination: stderr });
  const metrics = new Metrics({ process: around.isProcess });
  const caller = {
    userAgent: name,
    ...(limit && { limit }),
    ...(kubeconfigPath && { kubeconfigPath }),
  };
  await using home = observeClient(await around.connectHome(caller), metrics);
  const trust = { allowInsecure: options.allowInsecurePeers };
  const connectPeer = async (kubeconfig: string) =>
    observeClient(await around.connectPeer(kubeconfig, trust), metrics);
  const reporter = { controller: `liqo.io/${name}`, instance };
  const startEvents = (client: Client) =>
    startEventRecorder({ client, clock, random, log, reporter });
  using _memory = around.isProcess
    ? startMemoryKeeper({ clock, log, process: ownProcess })
    : undefined;
  const signals = signalsFrom(signal);
  const manager = await startManager({
    runnables: options.runnables({ home, connectPeer, log, metrics, startEvents }),
    clock,
    random,
    log,
    metrics,
    signals,
    ...(health && { health }),
    ...(metricsServer && { metricsServer }),
    ...(leaderElection && {
      leaderElection: { ...leaderElection, client: home, identity: instance },
    }),
  });
  if (signal.aborted) manager.stop('told to stop before it started');
  await manager.done;
}

/** A manager listens to the signals of a process: here they come from whoever runs the command. */
function signalsFrom(signal: AbortSignal): EventEmitter {
  const signals = new EventEmitter();
  signal.addEventListener('abort', () => signals.emit('SIGTERM'), { once: true });
  return signals;
}
