import { connect, type Socket } from 'node:net';
import type { WebSocket } from 'ws';
import { asBytes } from './stream-session.ts';

export const portProtocols = ['v4.channel.k8s.io'] as const;

/**
 * Ports of a pod over one WebSocket: port i has channel 2i for its bytes and 2i + 1 for what went wrong. Pods share the
 * network of this process, so its ports are those of the local machine.
 */
export function forwardPorts(socket: WebSocket, ports: readonly number[]): void {
  const send = (channel: number, bytes: Uint8Array) => {
    if (socket.readyState === socket.OPEN) socket.send(Buffer.concat([Buffer.of(channel), bytes]));
  };
  const connections = ports.map((port, index) => {
    send(2 * index, portBytes(port));
    send(2 * index + 1, portBytes(port));
    return openPort(port, index, send);
  });
  socket.on('message', (data) => {
    const message = asBytes(data);
    const channel = message[0] ?? 0;
    if (channel % 2 === 0) connections[channel / 2]?.write(message.subarray(1));
  });
  socket.on('close', () => {
    for (const connection of connections) connection.destroy();
  });
}

function openPort(
  port: number,
  index: number,
  send: (channel: number, bytes: Uint8Array) => void,
): Socket {
  const connection = connect({ host: '127.0.0.1', port });
  connection.on('data', (chunk: Uint8Array) => send(2 * index, chunk));
  connection.on('error', (error) => {
    const text = `error forwarding port ${port} to pod: ${error.message}`;
    send(2 * index + 1, Buffer.from(text));
  });
  return connection;
}

/** Every channel begins with its port, low byte first. */
function portBytes(port: number): Uint8Array {
  return Uint8Array.of(port & 0xff, port >> 8);
}
