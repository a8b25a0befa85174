import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * A port that nobody had a moment ago: containers that run in this process share its ports. From below the range out of which
 * systems serve whoever asks for any port, so that it is likely to stay free.
 */
export async function chooseFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 30_000);
    const server = createServer();
    const isFree = once(server, 'listening').then(
      () => true,
      () => false,
    );
    server.listen(port);
    if (!(await isFree)) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
