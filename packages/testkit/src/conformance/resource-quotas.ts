import {
  ConfigMap,
  Deployment,
  EndpointSlice,
  isForbidden,
  mergePatch,
  PersistentVolumeClaim,
  Pod,
  ResourceQuota,
  Service,
} from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { rejection } from '../rejection.ts';
import { untilControllersKnow } from './known-pods.ts';
import { freshNamespace, type GetSubject } from './subject.ts';

const image = 'example.org/app';

/** Quotas: what counts, what is refused, and what is given back. */
export function resourceQuotas(subject: GetSubject): void {
  const makeQuota = async (hard: Record<string, string>, spec: object = {}) => {
    const { client } = subject();
    const namespace = await freshNamespace(subject());
    const key = { namespace, name: 'quota' };
    await client.create(ResourceQuota, { metadata: key, spec: { hard, ...spec } });
    const status = async () => (await client.get(ResourceQuota, key))?.status;
    await eventually(async () => {
      const { hard: known, used } = (await status()) ?? {};
      expect(known).toEqual(hard);
      expect(Object.keys(used ?? {}).sort()).toEqual(Object.keys(hard).sort());
    });
    // The server that admits reads quotas from a cache of its own.
    await eventually(async () => expect(await isEnforced(namespace)).toBe(true));
    const used = async () => (await status())?.used;
    const makePod = (name: string, resources: object = {}, rest: object = {}) => {
      const containers = [{ name: 'main', image, resources }];
      return client.create(Pod, { metadata: { namespace, name }, spec: { containers, ...rest } });
    };
    return { client, namespace, used, makePod };
  };

  /** Every quota here has one thing of which nothing is left. */
  const isEnforced = async (namespace: string): Promise<boolean> => {
    const metadata = { namespace, name: 'probe' };
    const spec = { ports: [{ port: 1 }], type: 'LoadBalancer' };
    const creation = subject().client.create(Service, { metadata, spec }, { dryRun: true });
    return creation.then(
      () => false,
      (error) => isForbidden(error),
    );
  };
  const probe = { 'services.loadbalancers': '0' };

  describe('resource quotas', () => {
    test('what does not fit is refused, with the numbers', async () => {
      const { makePod } = await makeQuota({ pods: '1', ...probe });
      await makePod('one');
      expect(await rejection(makePod('two'))).toMatchObject({
        code: 403,
        reason: 'Forbidden',
        message:
          'pods "two" is forbidden: exceeded quota: quota, requested: pods=1, used: pods=1, limited: pods=1',
        details: { name: 'two', kind: 'pods' },
      });
    });

    test('what is created is charged at once', async () => {
      const { makePod, used } = await makeQuota({ pods: '5', 'count/pods': '9', ...probe });
      await makePod('one');
      await makePod('two');
      expect(await used()).toMatchObject({ pods: '2', 'count/pods': '2' });
    });

    test('however many come at once, no more than fit get in', async () => {
      const { client, namespace, used } = await makeQuota({ 'count/configmaps': '6', ...probe });
      const before = Number((await used())?.['count/configmaps']);
      const names = Array.from({ length: 20 }, (_, index) => `one-${index}`);
      const attempts = names.map((name) =>
        client.create(ConfigMap, { metadata: { namespace, name } }),
      );
      const outcomes = await Promise.allSettled(attempts);
      const created = outcomes.filter(({ status }) => status === 'fulfilled');
      expect(created).toHaveLength(6 - before);
      expect(await used()).toMatchObject({ 'count/configmaps': '6' });
    });

    test('a dry run is judged, but not charged', async () => {
      const { client, namespace, used } = await makeQuota({ 'count/pods': '1', ...probe });
      const spec = { containers: [{ name: 'main', image }] };
      const pod = (name: string) => ({ metadata: { namespace, name }, spec });
      await client.create(Pod, pod('one'), { dryRun: true });
      expect(await used()).toMatchObject({ 'count/pods': '0' });
      await client.create(Pod, pod('one'));
      const second = client.create(Pod, pod('two'), { dryRun: true });
      expect(isForbidden(await rejection(second))).toBe(true);
    });

    test('what is deleted is given back', async () => {
      const { client, namespace, used, makePod } = await makeQuota({ pods: '1', ...probe });
      await makePod('one');
      await client.delete(Pod, { namespace, name: 'one' }, { gracePeriodSeconds: 0 });
      await eventually(async () => expect(await used()).toMatchObject({ pods: '0' }), {
        timeoutMs: 30_000,
      });
      await eventually(() => makePod('two'));
    });

    test('a pod that has ended counts as an object only', async () => {
      const { client, namespace, used, makePod } = await makeQuota({
        pods: '1',
        'count/pods': '2',
        ...probe,
      });
      await makePod('one');
      const patch = mergePatch({ status: { phase: 'Succeeded' } });
      await client.patch(Pod, { namespace, name: 'one' }, patch, { subresource: 'status' });
      const expected = { pods: '0', 'count/pods': '1' };
      await eventually(async () => expect(await used()).toMatchObject(expected), {
        timeoutMs: 30_000,
      });
    });

    test('requests and limits are summed up', async () => {
      const hard = { 'requests.cpu': '2', cpu: '2', 'limits.memory': '1Gi', ...probe };
      const { used, makePod } = await makeQuota(hard);
      const resources = { requests: { cpu: '300m' }, limits: { memory: '512Mi' } };
      await makePod('one', resources);
      expect(await used()).toMatchObject({
        'requests.cpu': '300m',
        cpu: '300m',
        'limits.memory': '512Mi',
      });
      const more = { requests: { cpu: '1800m' }, limits: { memory: '600Mi' } };
      expect(await rejection(makePod('two', more))).toMatchObject({
        message:
          'pods "two" is forbidden: exceeded quota: quota, requested: cpu=1800m,limits.memory=600Mi,requests.cpu=1800m, used: cpu=300m,limits.memory=512Mi,requests.cpu=300m, limited: cpu=2,limits.memory=1Gi,requests.cpu=2',
      });
    });

    test('init containers count if they ask for more than the others together', async () => {
      const { used, makePod } = await makeQuota({ 'requests.cpu': '2', ...probe });
      const cpu = (amount: string) => ({ requests: { cpu: amount } });
      const initContainers = [
        { name: 'side', image, resources: cpu('100m'), restartPolicy: 'Always' },
        { name: 'first', image, resources: cpu('500m') },
      ];
      await makePod('one', cpu('200m'), { initContainers });
      expect(await used()).toMatchObject({ 'requests.cpu': '600m' });
    });

    test('what a quota limits has to be stated', async () => {
      const { makePod } = await makeQuota({
        'requests.cpu': '1',
        'limits.memory': '1Gi',
        ...probe,
      });
      expect(await rejection(makePod('one', { limits: { memory: '1Mi' } }))).toMatchObject({
        code: 403,
        message:
          'pods "one" is forbidden: failed quota: quota: must specify requests.cpu for: main',
      });
      expect(await rejection(makePod('two'))).toMatchObject({
        message:
          'pods "two" is forbidden: failed quota: quota: must specify limits.memory for: main; requests.cpu for: main',
      });
    });

    test('objects of any group can be counted', async () => {
      const { client, namespace } = await makeQuota({ 'count/deployments.apps': '0', ...probe });
      const labels = { app: 'one' };
      const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image }] } };
      const spec = { selector: { matchLabels: labels }, template };
      const creation = client.create(Deployment, { metadata: { namespace, name: 'one' }, spec });
      expect(await rejection(creation)).toMatchObject({
        message:
          'deployments.apps "one" is forbidden: exceeded quota: quota, requested: count/deployments.apps=1, used: count/deployments.apps=0, limited: count/deployments.apps=0',
      });
    });

    test('a service counts by what it becomes', async () => {
      const { client, namespace, used } = await makeQuota({
        services: '2',
        'services.nodeports': '1',
        ...probe,
      });
      const metadata = { namespace, name: 'one' };
      await client.create(Service, { metadata, spec: { ports: [{ port: 80 }] } });
      expect(await used()).toMatchObject({ services: '1', 'services.nodeports': '0' });
      await client.patch(Service, metadata, mergePatch({ spec: { type: 'NodePort' } }));
      expect(await used()).toMatchObject({ services: '1', 'services.nodeports': '1' });
      const spec = { type: 'NodePort', ports: [{ port: 81 }] };
      const second = client.create(Service, { metadata: { namespace, name: 'two' }, spec });
      expect(isForbidden(await rejection(second))).toBe(true);
    });

    test('claims count by size, and by storage class', async () => {
      const ofClass = 'gold.storageclass.storage.k8s.io/requests.storage';
      const { client, namespace, used } = await makeQuota({
        'requests.storage': '10Gi',
        [ofClass]: '3Gi',
        persistentvolumeclaims: '5',
        ...probe,
      });
      const claim = (name: string, storageClassName: string) =>
        client.create(PersistentVolumeClaim, {
          metadata: { namespace, name },
          spec: {
            accessModes: ['ReadWriteOnce'],
            storageClassName,
            resources: { requests: { storage: '2Gi' } },
          },
        });
      await claim('one', 'gold');
      await claim('two', 'silver');
      expect(await used()).toMatchObject({ 'requests.storage': '4Gi', [ofClass]: '2Gi' });
      expect(await rejection(claim('three', 'gold'))).toMatchObject({
        message: `persistentvolumeclaims "three" is forbidden: exceeded quota: quota, requested: ${ofClass}=2Gi, used: ${ofClass}=2Gi, limited: ${ofClass}=3Gi`,
      });
    });

    const small = { requests: { cpu: '1m' } };
    const scopes: readonly (readonly [string, object, object, object])[] = [
      ['BestEffort', small, {}, {}],
      ['NotBestEffort', {}, small, {}],
      ['Terminating', {}, {}, { activeDeadlineSeconds: 9 }],
    ];
    test.each(scopes)('a quota of scope %s is about some pods only', async (...row) => {
      const [scope, outside, inside, rest] = row;
      const { client, namespace, makePod } = await makeQuota({ services: '9', ...probe });
      const metadata = { namespace, name: 'scoped' };
      const spec = { hard: { pods: '0' }, scopes: [scope] };
      await client.create(ResourceQuota, { metadata, spec });
      await eventually(async () => {
        const error = await rejection(makePod('inside', inside, rest));
        expect(String(error)).toContain('exceeded quota: scoped');
        await client.delete(Pod, { namespace, name: 'inside' }).catch(() => undefined);
      });
      expect((await makePod('outside', outside)).metadata.name).toBe('outside');
    });

    test('a new limit is taken over, and what is used stays counted', async () => {
      const { client, namespace, used, makePod } = await makeQuota({ pods: '1', ...probe });
      await makePod('one');
      await untilControllersKnow(client, namespace, {});
      const key = { namespace, name: 'quota' };
      await client.patch(ResourceQuota, key, mergePatch({ spec: { hard: { pods: '2' } } }));
      await eventually(async () => {
        const { status } = (await client.get(ResourceQuota, key)) ?? {};
        expect(status?.hard).toEqual({ pods: '2', ...probe });
      });
      expect(await used()).toMatchObject({ pods: '1' });
      await eventually(() => makePod('two'));
      expect(isForbidden(await rejection(makePod('three')))).toBe(true);
    });

    test('what was there before the quota counts as well', async () => {
      const { client } = subject();
      const namespace = await freshNamespace(subject());
      const spec = { ports: [{ port: 80 }], selector: { app: 'old' } };
      await client.create(Service, { metadata: { namespace, name: 'old' }, spec });
      // Nothing counts that the controllers do not know yet, and nothing would make them count again.
      await eventually(async () => {
        expect((await client.list(EndpointSlice, { namespace })).items).toHaveLength(1);
      });
      const key = { namespace, name: 'quota' };
      await client.create(ResourceQuota, { metadata: key, spec: { hard: { services: '3' } } });
      await eventually(async () => {
        expect((await client.get(ResourceQuota, key))?.status?.used).toEqual({ services: '1' });
      });
    });
  });
}
