import { apiConformance } from '@liqo/testkit/cluster';
import { afterAll, beforeAll, describe } from 'vitest';
import { startSubject } from './testing/start-subject.ts';

describe('a minicluster', () => {
  let subject: Awaited<ReturnType<typeof startSubject>>;

  beforeAll(async () => {
    subject = await startSubject();
  });
  afterAll(() => subject?.[Symbol.asyncDispose]());

  apiConformance(() => subject);
});
