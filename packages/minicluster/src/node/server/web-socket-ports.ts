import type { Socket } from 'node:net';
import type { Pod, Stored } from '@liqo/kube';
import type { WebSocket } from 'ws';
import { asBytes } from '../../streams/web-socket-command.ts';
import { connectToPort, portFailure } from './pod-port.ts';

export const webSocketPortProtocols = ['v4.channel.k8s.io'] as const;

/** Ports of a pod over one WebSocket: port i has channel 2i for its bytes and 2i + 1 for what went wrong. */
export function forwardWebSocketPorts(
  socket: WebSocket,
  pod: Stored<Pod>,
  ports: readonly number[],
): void {
  const send = (channel: number, bytes: Uint8Array, done?: () => void) => {
    if (socket.readyState === socket.OPEN) {
      socket.send(Buffer.concat([Buffer.of(channel), bytes]), () => done?.());
    }
  };
  const connections = ports.map((port, index) => {
    send(2 * index, portBytes(port));
    send(2 * index + 1, portBytes(port));
    const connection = connectToPort(port);
    connection.on('data', (chunk: Uint8Array) => {
      connection.pause();
      send(2 * index, chunk, () => connection.resume());
    });
    connection.on('error', (error) => {
      send(2 * index + 1, Buffer.from(portFailure(port, pod, error)));
    });
    return connection;
  });
  socket.on('message', (data) => receive(socket, connections, asBytes(data)));
  socket.on('close', () => {
    for (const connection of connections) connection.destroy();
  });
}

/** Nothing more is read while a port takes no more. */
function receive(socket: WebSocket, connections: readonly Socket[], message: Uint8Array): void {
  const channel = message[0] ?? 0;
  const connection = channel % 2 === 0 ? connections[channel / 2] : undefined;
  if (!connection?.writable || connection.write(message.subarray(1))) return;
  socket.pause();
  const resume = () => socket.resume();
  connection.once('drain', resume).once('close', resume);
}

/** Every channel begins with its port, low byte first. */
function portBytes(port: number): Uint8Array {
  return Uint8Array.of(port & 0xff, port >> 8);
}
