import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { createCertificateAuthority } from '../../packages/testkit/src/real-cluster/certificate-authority.ts';

/**
 * The server of the benchmark: 10,000 pods of about 4.7 KB, listed in pages; then a watch that changes each of them once.
 * Everything it sends is made beforehand, so that what is measured is the client.
 */
const podCount = 10_000;
const firstVersion = 1_000;

const items = Array.from({ length: podCount }, (_, i) =>
  JSON.stringify(forgePod(i, firstVersion + i)),
);
const events = Array.from({ length: podCount }, (_, i) => {
  const object = forgePod(i, firstVersion + podCount + i);
  return `${JSON.stringify({ type: 'MODIFIED', object })}\n`;
});

const authority = await createCertificateAuthority('bench authority');
const { certificate, privateKey } = await authority.issueServer('bench', ['127.0.0.1']);
const server = createSecureServer({ cert: certificate, key: privateKey }, answer);
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ port, ca: authority.certificate })}\n`);
});

function answer(request: Http2ServerRequest, response: Http2ServerResponse): void {
  const url = new URL(request.url, 'https://bench');
  response.setHeader('content-type', 'application/json');
  if (url.searchParams.has('watch')) void sendEvents(response);
  else if (url.pathname.endsWith('/pods')) sendPage(url, response);
  else response.end(items[0] ?? '');
}

function sendPage(url: URL, response: Http2ServerResponse): void {
  const from = Number(url.searchParams.get('continue') ?? 0);
  const limit = Number(url.searchParams.get('limit')) || podCount;
  const to = Math.min(podCount, from + limit);
  const metadata = {
    resourceVersion: String(firstVersion + podCount - 1),
    ...(to < podCount && { continue: String(to) }),
  };
  const head = `{"kind":"PodList","apiVersion":"v1","metadata":${JSON.stringify(metadata)},"items":[`;
  response.end(`${head}${items.slice(from, to).join(',')}]}`);
}

async function sendEvents(response: Http2ServerResponse): Promise<void> {
  for (let i = 0; i < podCount; i += 20) {
    const batch = events.slice(i, i + 20).join('');
    if (!response.write(batch)) await new Promise((resolve) => response.once('drain', resolve));
  }
}

function forgePod(index: number, version: number): object {
  const name = `web-${String(index).padStart(5, '0')}`;
  const env = Array.from({ length: 12 }, (_, i) => ({
    name: `SETTING_${i}`,
    value: `value-${i}-of-${name}`,
  }));
  const fields = Object.fromEntries(
    Array.from({ length: 40 }, (_, i) => [
      `f:field-${i}`,
      { '.': {}, 'f:name': {}, 'f:value': {} },
    ]),
  );
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: `team-${index % 50}`,
      uid: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
      resourceVersion: String(version),
      creationTimestamp: '2030-01-01T00:00:00Z',
      labels: { app: 'web', 'pod-template-hash': '5d4f8c7b9', team: `team-${index % 50}` },
      managedFields: [
        { manager: 'kube-controller-manager', operation: 'Update', fieldsV1: fields },
      ],
    },
    spec: {
      nodeName: `node-${index % 100}`,
      containers: [
        {
          name: 'main',
          image: 'registry.example.org/team/web:1.2.3',
          env,
          resources: { requests: { cpu: '100m', memory: '64Mi' }, limits: { memory: '128Mi' } },
          volumeMounts: [{ name: 'token', mountPath: '/var/run/secrets/token', readOnly: true }],
        },
      ],
      tolerations: [
        {
          key: 'node.kubernetes.io/not-ready',
          operator: 'Exists',
          effect: 'NoExecute',
          tolerationSeconds: 300,
        },
      ],
    },
    status: {
      phase: 'Running',
      podIP: `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`,
      conditions: ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map((type) => ({
        type,
        status: 'True',
        lastTransitionTime: '2030-01-01T00:00:00Z',
      })),
    },
  };
}
