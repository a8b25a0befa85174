import {
  type CallSignal,
  Client,
  ConfigMap,
  type InProcessAnswer,
  InProcessTransport,
  type Pod,
  type Stored,
  type TransportRequest,
} from '@liqo/kube';
import { silentLogger } from '@liqo/runtime';
import { seededRandom, VirtualClock } from '@liqo/testkit';
import {
  type CertificateAuthority,
  createCertificateAuthority,
  ListWatchServer,
} from '@liqo/testkit/faults';
import { type KubeletServer, startKubeletServer } from '../kubelet-server.ts';
import type { ProviderAccess } from '../provider-access.ts';
import { ask, type Proof, type Reply } from './ask.ts';

/** Answers reviews as an API server would, and tells which ones it was asked for. */
class ReviewDesk {
  readonly configMaps = new ListWatchServer(ConfigMap);
  /** `token <token>`, and `<user> <verb> <subresource>`. */
  readonly asked: string[] = [];
  /** The same, as long as it is right. */
  readonly rights = new Set<string>();
  isDown = false;

  readonly serve = async (
    request: TransportRequest,
    signal: CallSignal,
  ): Promise<InProcessAnswer> => {
    if (request.method === 'GET') return this.configMaps.serve(request, signal);
    if (this.isDown) return { status: 500, body: 'down' };
    const review = JSON.parse(String(request.body));
    const { token, user, resourceAttributes: wanted } = review.spec;
    const status = token
      ? this.#judgeToken(token)
      : { allowed: this.#has(`${user} ${wanted.verb} ${wanted.subresource}`) };
    return { status: 201, body: JSON.stringify({ ...review, status }) };
  };

  trust(authority: string | undefined): void {
    const metadata = { namespace: 'kube-system', name: 'extension-apiserver-authentication' };
    if (authority === undefined) this.configMaps.remove(metadata);
    else this.configMaps.put({ metadata, data: { 'client-ca-file': authority } });
  }

  #judgeToken(token: string): object {
    const authenticated = this.#has(`token ${token}`);
    const user = { username: token, groups: ['system:authenticated'] };
    return authenticated ? { authenticated, user } : { authenticated, error: 'unknown' };
  }

  #has(right: string): boolean {
    this.asked.push(right);
    return this.rights.has(right);
  }
}

/** A server under test on a clock that only the test moves, with nobody behind it unless the test says who. */
export interface BareKubelet extends AsyncDisposable {
  readonly clock: VirtualClock;
  readonly desk: ReviewDesk;
  readonly authority: CertificateAuthority;
  readonly server: KubeletServer;
  ask(path: string, proof: Proof, method?: string): Promise<Reply>;
}

export async function startBareKubelet(provider?: ProviderAccess): Promise<BareKubelet> {
  const clock = new VirtualClock({ startMs: Date.now() });
  const random = seededRandom(1);
  const desk = new ReviewDesk();
  const authority = await createCertificateAuthority('consumer');
  desk.trust(authority.certificate);
  const keys = await authority.issueServer('mynode', ['127.0.0.1']);
  const transport = new InProcessTransport(desk.serve);
  const server = await startKubeletServer({
    local: new Client({ transport, clock, random }),
    clock,
    random,
    log: silentLogger,
    nodeName: 'mynode',
    consumerClusterID: 'rome',
    keys: async () => keys,
    host: '127.0.0.1',
    port: 0,
    provider: () => provider,
    pods: () => [webPod],
  });
  return {
    clock,
    desk,
    authority,
    server,
    ask: (path, proof, method = 'GET') => ask({ port: server.port, path, method }, proof),
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      await transport[Symbol.asyncDispose]();
    },
  };
}

const webPod: Stored<Pod> = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    namespace: 'shop',
    name: 'web',
    uid: 'b5c4e9a0-0000-4000-8000-000000000001',
    resourceVersion: '1',
    creationTimestamp: '2026-01-01T00:00:00Z',
  },
  spec: { nodeName: 'mynode', containers: [{ name: 'main', image: 'example.org/app' }] },
};
