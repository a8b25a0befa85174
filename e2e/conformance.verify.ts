import { systemClock, systemRandom } from '@liqo/runtime';
import { conformance, connectSubject, type SubjectWithUsers } from '@liqo/testkit/cluster';
import { type RealCluster, startRealCluster } from '@liqo/testkit/real-cluster';
import { afterAll, beforeAll, describe } from 'vitest';

describe('a real Kubernetes', () => {
  let cluster: RealCluster;
  let subject: SubjectWithUsers;

  beforeAll(async () => {
    cluster = await startRealCluster({ apiServerFlags: { 'anonymous-auth': 'false' } });
    subject = await connectSubject(cluster, {
      clock: systemClock,
      random: systemRandom,
      forgetHistory: () => cluster.restartApiServer(),
    });
  });
  afterAll(async () => {
    await subject?.client[Symbol.asyncDispose]();
    await cluster?.[Symbol.asyncDispose]();
  });

  conformance(() => subject);
});
