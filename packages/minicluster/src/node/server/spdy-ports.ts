import type { Duplex } from 'node:stream';
import type { Pod, Stored } from '@liqo/kube';
import { SpdySession } from '../../spdy/spdy-session.ts';
import type { SpdyStream } from '../../spdy/spdy-stream.ts';
import { connectToPort, portFailure } from './pod-port.ts';

export const spdyPortProtocols = ['portforward.k8s.io'] as const;

/**
 * Ports of a pod over one connection: for every connection to a port the client opens a stream for its bytes and one for what
 * went wrong, which name the same request and come in any order.
 */
export function forwardSpdyPorts(connection: Duplex, pod: Stored<Pod>): void {
  const waiting = new Map<string, SpdyStream>();
  const onStream = (stream: SpdyStream) => {
    const port = portOf(stream);
    const request = requestOf(stream);
    const first = waiting.get(request);
    waiting.delete(request);
    if (!first) {
      waiting.set(request, stream);
      return;
    }
    if (isData(first) === isData(stream)) throw new Error(`Cannot use request ${request} twice`);
    const [data, error] = isData(first) ? [first, stream] : [stream, first];
    forward(pod, port, data.bytes, error.bytes);
  };
  new SpdySession(connection, { role: 'server', onStream });
}

function portOf({ headers }: SpdyStream): number {
  const port = Number(headers.get('port'));
  const type = headers.get('streamtype') ?? '';
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new Error('Cannot use the port');
  if (type !== 'data' && type !== 'error') throw new Error(`Cannot use stream type "${type}"`);
  return port;
}

function isData({ headers }: SpdyStream): boolean {
  return headers.get('streamtype') === 'data';
}

/** Old clients name no request: they open the stream for errors and then, with the next number, the one for data. */
function requestOf(stream: SpdyStream): string {
  return stream.headers.get('requestid') ?? String(isData(stream) ? stream.id - 2 : stream.id);
}

function forward(pod: Stored<Pod>, port: number, data: Duplex, errors: Duplex): void {
  const target = connectToPort(port);
  errors.resume();
  data.pipe(target).pipe(data);
  data.once('close', () => target.destroy());
  target.once('error', (error) => {
    errors.end(portFailure(port, pod, error), () => data.destroy());
  });
  target.once('close', () => errors.end());
}
