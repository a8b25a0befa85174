import { systemClock, systemRandom } from '@liqo/runtime';
import { conformance, connectSubject, type SubjectWithUsers } from '@liqo/testkit/cluster';
import { afterAll, beforeAll, describe } from 'vitest';
import { type Minicluster, startMinicluster } from './start-minicluster.ts';

describe('a minicluster', () => {
  const surroundings = { clock: systemClock, random: systemRandom };
  let cluster: Minicluster;
  let subject: SubjectWithUsers;

  beforeAll(async () => {
    cluster = await startMinicluster(surroundings);
    const forgetHistory = async () => cluster.forgetHistory();
    subject = await connectSubject(cluster, { ...surroundings, forgetHistory });
  });
  afterAll(async () => {
    await subject?.client[Symbol.asyncDispose]();
    await cluster?.[Symbol.asyncDispose]();
  });

  conformance(() => subject);
});
