import { Client, InProcessTransport, isConflict, isNotFound, Pod, type Stored } from '@liqo/kube';
import { ObjectServer, rejection, seededRandom, VirtualClock } from '@liqo/testkit';
import { expect, test } from 'vitest';
import { writeStatus } from './status-writer.ts';

const key = { namespace: 'shop', name: 'web' };

async function startWorld(status?: Pod['status']) {
  const clock = new VirtualClock();
  const server = new ObjectServer(clock);
  const bodies: unknown[] = [];
  const transport = new InProcessTransport((request, signal) => {
    if (request.method === 'PATCH') bodies.push(JSON.parse(String(request.body)));
    return server.serve(request, signal);
  });
  const client = new Client({ transport, clock, random: seededRandom(1) });
  const created = await client.create(Pod, { metadata: key });
  const pod: Stored<Pod> = status
    ? await client.updateStatus(Pod, { ...created, status })
    : created;
  return { client, server, bodies, pod };
}

test('writeStatus() sends nothing when the status is as it should be', async () => {
  const { client, bodies, pod } = await startWorld({
    phase: 'Running',
    podIPs: [{ ip: '10.0.0.1' }],
  });
  const status = { podIPs: [{ ip: '10.0.0.1' }], phase: 'Running' };
  expect(await writeStatus(client, Pod, pod, status)).toBe(pod);
  expect(bodies).toEqual([]);
});

test('writeStatus() sends what differs, and returns what is stored', async () => {
  const { client, bodies, pod, server } = await startWorld({ phase: 'Pending', message: 'x' });
  const wanted = { phase: 'Running', message: 'x', hostIP: '10.0.0.9' } as const;
  const stored = await writeStatus(client, Pod, pod, wanted);
  expect(bodies).toEqual([
    {
      metadata: { resourceVersion: pod.metadata.resourceVersion },
      status: { phase: 'Running', hostIP: '10.0.0.9' },
    },
  ]);
  expect(stored.status).toEqual(wanted);
  expect(server.stored(Pod, key)).toEqual(stored);
});

test('writeStatus() removes fields, and the first and the last status too', async () => {
  const { client, pod } = await startWorld();
  const first = await writeStatus(client, Pod, pod, { phase: 'Running', message: 'x' });
  const second = await writeStatus(client, Pod, first, { phase: 'Running' });
  expect(second.status).toEqual({ phase: 'Running' });
  const third = await writeStatus(client, Pod, second, undefined);
  expect(third.status).toBeUndefined();
  expect(await writeStatus(client, Pod, third, undefined)).toBe(third);
});

test('writeStatus() does not touch a status that somebody else changed meanwhile', async () => {
  const { client, pod, server } = await startWorld({ phase: 'Pending' });
  await client.updateStatus(Pod, { ...pod, status: { phase: 'Failed' } });
  const error = await rejection(writeStatus(client, Pod, pod, { phase: 'Running' }));
  expect(isConflict(error)).toBe(true);
  expect(server.stored(Pod, key)?.status).toEqual({ phase: 'Failed' });
});

test('writeStatus() does not write to another object of the same name', async () => {
  const { client, pod, server } = await startWorld({ phase: 'Pending' });
  await client.delete(Pod, key);
  const gone = await rejection(writeStatus(client, Pod, pod, { phase: 'Running' }));
  expect(isNotFound(gone)).toBe(true);
  await client.create(Pod, { metadata: key });
  const other = await rejection(writeStatus(client, Pod, pod, { phase: 'Running' }));
  expect(isConflict(other)).toBe(true);
  expect(server.stored(Pod, key)?.status).toBeUndefined();
});
