import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** A port that nobody had a moment ago: containers that run in this process share its ports. */
export async function chooseFreePort(): Promise<number> {
  const server = createServer().listen(0);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
