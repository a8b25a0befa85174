import { request as httpsRequest } from 'node:https';

/** What somebody proves themselves with. */
export interface Proof {
  readonly keys?: { readonly cert: string; readonly key: string };
  readonly token?: string;
}

export interface Reply {
  readonly status: number;
  readonly type: string | undefined;
  readonly body: string;
}

/** Asks a port of this machine, whoever serves there. */
export function ask(
  target: { readonly port: number; readonly path: string; readonly method: string },
  { keys, token }: Proof,
): Promise<Reply> {
  const headers = token ? { authorization: `Bearer ${token}` } : {};
  const options = { host: '127.0.0.1', ...target, ...keys, headers, agent: false as const };
  return new Promise((resolve, reject) => {
    const request = httpsRequest({ ...options, rejectUnauthorized: false });
    request.on('error', reject).on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('error', reject).on('end', () => {
        const { statusCode: status = 0, headers } = response;
        resolve({ status, type: headers['content-type'], body: Buffer.concat(chunks).toString() });
      });
    });
    request.end();
  });
}
