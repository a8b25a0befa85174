import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import type { ProgramContext } from '@liqo/minicluster';

/** As much as no buffer on the way holds. */
export const largeBody = Buffer.alloc(8_000_000, createHash('sha256').update('large').digest());

/** A program for a container: a site that tells what it was asked. Its first argument is its port. */
export async function serveSite({ args, signal }: ProgramContext): Promise<number> {
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request;
    if (url?.startsWith('/large')) return void response.end(largeBody);
    if (url?.startsWith('/away')) return void response.writeHead(302, { location: '/here' }).end();
    const body = await text(request);
    const forwarded = Object.fromEntries(
      Object.entries(headers).filter(([name]) => name.startsWith('x-')),
    );
    response.writeHead(method === 'PUT' ? 201 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ method, url, body, ...forwarded }));
  });
  server.listen(Number(args[0]), '0.0.0.0');
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  return 0;
}
