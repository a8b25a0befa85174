import { expect, test } from 'vitest';
import type { AdmissionRequest } from '../../review/admission-request.ts';
import { forgeRequest } from '../../testing/forge-request.ts';
import { creatorRule } from './mutate-shadow-pod.ts';

const { signal } = new AbortController();
const creator = 'liqo.io/creator-user';

const shadowPod = (labels?: Record<string, string>) => ({
  metadata: { name: 'web', ...(labels && { labels }) },
});

async function review(
  object: ReturnType<typeof shadowPod>,
  more: Partial<AdmissionRequest> = {},
): Promise<unknown> {
  const userInfo = { username: 'mypool-a8a4c692b93b', groups: [] };
  const verdict = await creatorRule.review(forgeRequest(object, { userInfo, ...more }), signal);
  return 'object' in verdict ? verdict.object?.metadata?.labels : verdict;
}

test.each<[string, Record<string, string> | undefined]>([
  ['without labels', undefined],
  ['with other labels', { app: 'web' }],
  ['with the name of another user', { app: 'web', [creator]: 'other-a8a4c692b93b' }],
])('creatorRule labels a ShadowPod %s with the user of the request', async (_, labels) => {
  const kept = labels?.app ? { app: 'web' } : {};
  expect(await review(shadowPod(labels))).toEqual({ ...kept, [creator]: 'mypool-a8a4c692b93b' });
});

test('creatorRule changes nothing when it is asked again', async () => {
  const labelled = shadowPod({ [creator]: 'mypool-a8a4c692b93b' });
  expect(await review(labelled)).toEqual({ allowed: true });
});

test.each<[string, Record<string, string>, Record<string, string>]>([
  ['puts back a label that was changed', { [creator]: 'mypool' }, { [creator]: 'other' }],
  ['puts back a label that was removed', { [creator]: 'mypool' }, { app: 'web' }],
  ['removes a label that was added', {}, { app: 'web', [creator]: 'other' }],
])('creatorRule %s, whoever asks', async (_, before, after) => {
  const { [creator]: __, ...others } = after;
  const request = { operation: 'UPDATE', oldObject: shadowPod(before) } as const;
  expect(await review(shadowPod(after), request)).toEqual({ ...others, ...before });
});

test.each<[string, Partial<AdmissionRequest>]>([
  ['an update that keeps the label', { operation: 'UPDATE', oldObject: shadowPod() }],
  ['a deletion', { operation: 'DELETE' }],
  ['a write of the status', { subResource: 'status' }],
])('creatorRule leaves %s alone', async (_, more) => {
  expect(await review(shadowPod(), more)).toEqual({ allowed: true });
});
