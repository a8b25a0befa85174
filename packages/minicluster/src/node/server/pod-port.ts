import { connect, type Socket } from 'node:net';
import type { Pod, Stored } from '@liqo/kube';

/** Pods share the network of this process, so their ports are those of the local machine. */
export function connectToPort(port: number): Socket {
  return connect({ host: '127.0.0.1', port, allowHalfOpen: true });
}

/** What a client is told when a port of a pod could not be reached, or failed. */
export function portFailure(port: number, { metadata }: Stored<Pod>, error: Error): string {
  const { name, uid } = metadata;
  return `error forwarding port ${port} to pod ${name}, uid ${uid}: ${error.message}`;
}
