import { connect } from 'node:http2';
import { report, target } from './measure.ts';

/** The least a client can do: `node:http2`, `JSON.parse` and a Map. It checks nothing and survives nothing. */
const { port, ca, mode } = target();
const session = connect(`https://127.0.0.1:${port}`, {
  ca,
  settings: { initialWindowSize: 4 << 20 },
});
session.on('connect', () => session.setLocalWindowSize(16 << 20));

function get(path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const stream = session.request({ ':path': path });
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => resolve(Buffer.concat(chunks).toString()));
    stream.on('error', reject);
  });
}

async function listAndWatch(): Promise<number> {
  const pods = new Map<string, unknown>();
  const keep = (pod: {
    metadata: { namespace: string; name: string; managedFields?: unknown };
  }) => {
    delete pod.metadata.managedFields;
    pods.set(`${pod.metadata.namespace}/${pod.metadata.name}`, pod);
  };
  let next = '';
  do {
    const page = JSON.parse(await get(`/api/v1/pods?limit=500${next && `&continue=${next}`}`));
    page.items.forEach(keep);
    next = page.metadata.continue ?? '';
  } while (next);
  const stream = session.request({ ':path': '/api/v1/pods?watch=true' });
  let rest = '';
  let events = 0;
  for await (const chunk of stream.setEncoding('utf8')) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) keep(JSON.parse(line).object);
    events += lines.length;
    if (events === pods.size) break;
  }
  kept = pods;
  return pods.size;
}

async function getMany(): Promise<number> {
  const worker = async () => {
    for (let i = 0; i < 100; i++) JSON.parse(await get('/api/v1/namespaces/team-0/pods/web-00000'));
  };
  await Promise.all(Array.from({ length: 20 }, worker));
  return 2000;
}

let kept: unknown;
await report(mode === 'gets' ? getMany : listAndWatch);
process.exit(kept === null ? 1 : 0);
