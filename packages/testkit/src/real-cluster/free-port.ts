import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * A port on which nobody listens. Taken from below the range from which systems serve `listen(0)` and outgoing
 * connections, so that it is likely to stay free until somebody binds it; likely is all there is.
 */
export async function chooseFreePort(address: string): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 30_000);
    if (await isFree(address, port)) return port;
  }
}

async function isFree(address: string, port: number): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port, address), 'listening');
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
    throw error;
  } finally {
    server.close();
  }
}
