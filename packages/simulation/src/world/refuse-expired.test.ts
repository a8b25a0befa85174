import { VirtualClock } from '@liqo/testkit';
import { expect, test } from 'vitest';
import { refuseExpired } from './refuse-expired.ts';

test('refuseExpired() answers 401 from the moment on at which the credentials expire', async () => {
  const clock = new VirtualClock();
  const credentials = { cluster: 'milan', user: 'rome', groups: [], notAfterMs: clock.now() + 10 };
  const serve = refuseExpired(async () => ({ status: 200 }), credentials, clock);
  const ask = async () => {
    const request = { method: 'GET', path: '/version', headers: {} } as const;
    return (await serve(request, new AbortController().signal)).status;
  };
  expect(await ask()).toBe(200);
  await clock.advance(10);
  expect(await ask()).toBe(401);
});
