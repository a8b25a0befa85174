import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClusterAuth } from './auth/cluster-auth.ts';
import { InReverse } from './in-reverse.ts';
import type { RequestHandler } from './intercept-calls.ts';
import { ApiListener } from './listener/api-listener.ts';

/** How a cluster is reached over the network: by TLS on loopback, and with a kubeconfig on disk. */
export class NetworkAccess implements AsyncDisposable {
  /** Path of the kubeconfig. */
  kubeconfig = '';
  readonly #listener: ApiListener;
  readonly #parts = new InReverse();

  constructor(server: RequestHandler, auth: ClusterAuth) {
    this.#listener = this.#parts.add(createListener(server, auth));
  }

  get port(): number {
    return this.#listener.port;
  }

  listen(): Promise<void> {
    return this.#listener.listen();
  }

  async writeKubeconfig(name: string, text: string): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), 'minicluster-'));
    this.#parts.add({
      [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
    });
    this.kubeconfig = join(folder, `${name}.kubeconfig`);
    await writeFile(this.kubeconfig, text, { mode: 0o600 });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#parts[Symbol.asyncDispose]();
  }
}

/** Where everything of a cluster listens. */
export const loopback = '127.0.0.1';

function createListener(server: RequestHandler, auth: ClusterAuth): ApiListener {
  const names = [
    'localhost',
    loopback,
    'kubernetes',
    'kubernetes.default',
    'kubernetes.default.svc',
  ];
  const { certificate, privateKey } = auth.authority.issueServer('kube-apiserver', names);
  return new ApiListener({
    server,
    certificate,
    privateKey,
    clientAuthority: auth.authority.certificate,
    host: loopback,
    port: 0,
    userOfCertificate: auth.userOfCertificate,
  });
}
