import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestKubelet, type TestKubelet } from './testing/start-test-kubelet.ts';

describe('KubeletServer', () => {
  let kubelet: TestKubelet;

  beforeAll(async () => {
    kubelet = await startTestKubelet();
  });
  afterAll(() => kubelet?.[Symbol.asyncDispose]());

  const log = (query: string, pod = 'web') =>
    kubelet.ask(`/containerLogs/default/${pod}/main${query}`);

  test.each([
    ['everything', '', 'one\ntwo\nthree\n'],
    ['the last lines', '?tailLines=2', 'two\nthree\n'],
    ['so many bytes', '?limitBytes=5', 'one\nt'],
    ['what is young enough', '?sinceTime=2030-01-01T00:00:01Z', ''],
    ['what is younger than some seconds', '?sinceSeconds=5&tailLines=1', 'three\n'],
    ['times', '?timestamps=true&tailLines=1', '2030-01-01T00:00:00.000000000Z three\n'],
  ])('sends of a log %s', async (_, query, body) => {
    expect(await log(query)).toEqual({ status: 200, body });
  });

  test('sends the log of the run before', async () => {
    expect(await log('?previous=true', 'crashed')).toEqual({ status: 200, body: 'hello\n' });
  });

  test.each([
    [
      'waiting',
      '',
      400,
      'container "main" in pod "waiting" is waiting to start: ContainerCreating',
    ],
    ['web', '?previous=true', 400, 'previous terminated container "main" in pod "web" not found'],
    ['absent', '', 404, 'pod "absent" does not exist'],
    ['web', '?tailLines=few', 422, '{"message": "Invalid request."}'],
  ])('says why there is no log of %s%s', async (pod, query, status, body) => {
    expect(await log(query, pod)).toEqual({ status, body });
  });

  test('runs a registered image for real', async () => {
    const { body } = await log('', 'greeter');
    expect(body).toBe('hello you red from greeter\n');
  });

  test.each([
    ['no credentials', {}, 401, 'Unauthorized'],
    ['a bad token', { token: 'bad' }, 401, 'Unauthorized'],
    [
      'a token without the right',
      { token: 'good' },
      403,
      'Forbidden (user=reader, verb=get, resource=nodes, subresource(s)=[pods proxy])',
    ],
  ])('refuses %s', async (_, who, status, body) => {
    expect(await kubelet.ask('/pods', who)).toEqual({ status, body });
  });

  test('refuses a certificate without the right, and lets it do what it may', async () => {
    expect((await kubelet.ask('/pods', { keys: kubelet.nobody })).status).toBe(403);
    expect((await kubelet.ask('/stats/summary', { keys: kubelet.nobody })).status).toBe(200);
  });

  test('lists pods and tells what they use', async () => {
    expect(JSON.parse((await kubelet.ask('/pods')).body).items).toHaveLength(4);
    const stats = JSON.parse((await kubelet.ask('/stats/summary')).body);
    expect(stats.node).toMatchObject({ nodeName: 'worker', cpu: { usageNanoCores: 250_000_000 } });
    const { body } = await kubelet.ask('/metrics/resource');
    expect(body).toContain('pod_cpu_usage_seconds_total{namespace="default",pod="web"} 0.25 ');
    expect(body).toContain('resource_scrape_error 0\n');
    expect((await kubelet.ask('/healthz')).body).toBe('ok');
  });
});
