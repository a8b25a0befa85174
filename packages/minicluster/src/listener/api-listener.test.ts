import { request } from 'node:https';
import { systemClock, systemRandom } from '@liqo/runtime';
import { expect, test } from 'vitest';
import { startMinicluster } from '../start-minicluster.ts';

function statusOf(url: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asking = request(url, { rejectUnauthorized: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    asking.on('error', reject).end();
  });
}

test('ApiListener reads request lines far longer than 16 KB, as real API servers do', async () => {
  await using cluster = await startMinicluster({
    clock: systemClock,
    random: systemRandom,
    controllers: false,
  });
  const long = `${cluster.server}/livez?exclude=${'x'.repeat(200_000)}`;
  expect(await statusOf(long)).toBe(await statusOf(`${cluster.server}/livez`));
});
