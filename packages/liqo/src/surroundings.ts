import type { Client, ClientOptions, Clock, Random } from '@liqo/kube';
import type { LogDestination } from '@liqo/runtime';
import type { ConnectPeer } from './connect-peer.ts';

/** What a command finds around it: a process of its own, or a container that is a function of another one. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly random: Random;
  readonly stdout: LogDestination;
  readonly stderr: LogDestination;
  /** Aborts when the command is to end. */
  readonly signal: AbortSignal;
  /** The cluster that the command runs in. */
  readonly connectHome: (caller: HomeCaller) => Promise<Client>;
  readonly connectPeer: ConnectPeer;
  /** Where a virtual kubelet listens, if not where its flags say. The Node and the certificate name `--node-ip` all the same. */
  readonly kubeletAddress?: { readonly host: string; readonly port: number };
  /** Whether the metrics and the memory of the whole process are those of the command. */
  readonly isProcess: boolean;
}

export interface HomeCaller extends Pick<ClientOptions, 'limit'> {
  readonly userAgent: string;
  /** Instead of the files and variables that are usually read. */
  readonly kubeconfigPath?: string;
}

/** A part of the product that runs as `liqo <name>`. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  readonly help: () => string;
  /** Ends when it is told to; what it throws ends it with 1. */
  readonly run: (args: readonly string[], around: Surroundings) => Promise<void>;
}
