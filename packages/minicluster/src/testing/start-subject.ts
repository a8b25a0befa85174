import { systemClock, systemRandom } from '@liqo/runtime';
import { connectSubject, type SubjectWithUsers } from '@liqo/testkit/cluster';
import { startMinicluster } from '../start-minicluster.ts';

/** A minicluster to be judged by what any Kubernetes must do. */
export async function startSubject(): Promise<SubjectWithUsers & AsyncDisposable> {
  const surroundings = { clock: systemClock, random: systemRandom };
  const cluster = await startMinicluster(surroundings);
  const forgetHistory = async () => cluster.forgetHistory();
  const subject = await connectSubject(cluster, { ...surroundings, forgetHistory });
  return {
    ...subject,
    [Symbol.asyncDispose]: async () => {
      await subject.client[Symbol.asyncDispose]();
      await cluster[Symbol.asyncDispose]();
    },
  };
}
