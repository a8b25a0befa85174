import { startMinicluster } from '@liqo/minicluster';
import { systemClock, systemRandom } from '@liqo/runtime';
import { connectSubject, nodeLifecycle, type SubjectWithUsers } from '@liqo/testkit/cluster';
import { startRealCluster } from '@liqo/testkit/real-cluster';
import { afterAll, beforeAll, describe } from 'vitest';

const surroundings = { clock: systemClock, random: systemRandom };
const forgetHistory = async () => undefined;

/** Apart from the other suites, because a node has to be silent for long before anybody worries. */
describe.each([
  {
    name: 'a real Kubernetes',
    monitorGraceMs: 10_000,
    start: () =>
      startRealCluster({ controllerManagerFlags: { 'node-monitor-grace-period': '10s' } }),
  },
  {
    name: 'a minicluster',
    monitorGraceMs: 50_000,
    start: () => startMinicluster(surroundings),
  },
])('$name', ({ monitorGraceMs, start }) => {
  let cluster: Awaited<ReturnType<typeof start>>;
  let subject: SubjectWithUsers;

  beforeAll(async () => {
    cluster = await start();
    subject = await connectSubject(cluster, { ...surroundings, forgetHistory });
  });
  afterAll(async () => {
    await subject?.client[Symbol.asyncDispose]();
    await cluster?.[Symbol.asyncDispose]();
  });

  nodeLifecycle(() => subject, { monitorGraceMs });
});
