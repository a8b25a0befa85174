import {
  ConfigMap,
  Deployment,
  isConflict,
  isInvalid,
  jsonPatch,
  mergePatch,
  Service,
  strategicMergePatch,
} from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import { rejection } from '../rejection.ts';
import { freshNamespace, type GetSubject } from './subject.ts';

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** The four ways to change a part of an object. */
export function patches(subject: GetSubject): void {
  describe('patches', () => {
    const makeConfigMap = async () => {
      const { client } = subject();
      const key = { namespace: await freshNamespace(subject()), name: 'one' };
      await client.create(ConfigMap, { metadata: key, data: { a: '1', b: '2' } });
      return { client, key };
    };
    const makeDeployment = async () => {
      const { client } = subject();
      const key = { namespace: await freshNamespace(subject()), name: 'web' };
      const labels = { app: 'web' };
      const containers = [
        { name: 'main', image: 'example.org/app:1', ports: [{ containerPort: 80 }] },
        { name: 'side', image: 'example.org/side:1' },
      ];
      const template = { metadata: { labels }, spec: { containers } };
      const spec = { replicas: 0, selector: { matchLabels: labels }, template };
      await client.create(Deployment, { metadata: key, spec });
      return { client, key };
    };

    test('a JSON patch applies its operations in order', async () => {
      const { client, key } = await makeConfigMap();
      const patch = jsonPatch([
        { op: 'test', path: '/data/a', value: '1' },
        { op: 'replace', path: '/data/a', value: 'one' },
        { op: 'move', from: '/data/b', path: '/data/c' },
        { op: 'add', path: '/metadata/labels', value: { 'example.org/x': 'y' } },
        { op: 'add', path: '/metadata/labels/example.org~1z', value: 'w' },
      ]);
      const patched = await client.patch(ConfigMap, key, patch);
      expect(patched.data).toEqual({ a: 'one', c: '2' });
      expect(patched.metadata.labels).toEqual({ 'example.org/x': 'y', 'example.org/z': 'w' });
    });

    test('a JSON patch whose test fails changes nothing', async () => {
      const { client, key } = await makeConfigMap();
      const patch = jsonPatch([
        { op: 'replace', path: '/data/a', value: 'one' },
        { op: 'test', path: '/data/b', value: 'wrong' },
      ]);
      expect(isInvalid(await rejection(client.patch(ConfigMap, key, patch)))).toBe(true);
      expect((await client.get(ConfigMap, key))?.data).toEqual({ a: '1', b: '2' });
    });

    test('a merge patch sets, and removes with null', async () => {
      const { client, key } = await makeConfigMap();
      const patched = await client.patch(ConfigMap, key, mergePatch({ data: { a: null, c: '3' } }));
      expect(patched.data).toEqual({ b: '2', c: '3' });
    });

    test('a merge patch with an old resourceVersion is a conflict', async () => {
      const { client, key } = await makeConfigMap();
      const patch = mergePatch({ metadata: { resourceVersion: '1' }, data: { c: '3' } });
      expect(isConflict(await rejection(client.patch(ConfigMap, key, patch)))).toBe(true);
    });

    test('a strategic merge patch merges lists by their key', async () => {
      const { client, key } = await makeDeployment();
      const container = {
        name: 'main',
        image: 'example.org/app:2',
        ports: [{ containerPort: 81 }],
      };
      const patch = strategicMergePatch({
        spec: { template: { spec: { containers: [container] } } },
      });
      const patched = await client.patch(Deployment, key, patch);
      const containers = patched.spec?.template.spec?.containers;
      expect(containers?.map(({ name, image }) => ({ name, image }))).toEqual([
        { name: 'main', image: 'example.org/app:2' },
        { name: 'side', image: 'example.org/side:1' },
      ]);
      expect(containers?.[0]?.ports?.map((port) => port.containerPort)).toEqual([81, 80]);
    });

    test('a strategic merge patch deletes a list item with $patch', async () => {
      const { client, key } = await makeDeployment();
      const containers = [{ name: 'side', $patch: 'delete' }];
      const patch = strategicMergePatch({ spec: { template: { spec: { containers } } } });
      const patched = await client.patch(Deployment, key, patch);
      expect(patched.spec?.template.spec?.containers.map(({ name }) => name)).toEqual(['main']);
    });

    test('a merge patch replaces a list whole', async () => {
      const { client, key } = await makeDeployment();
      const containers = [{ name: 'only', image: 'example.org/only:1' }];
      const patch = mergePatch({ spec: { template: { spec: { containers } } } });
      const patched = await client.patch(Deployment, key, patch);
      expect(patched.spec?.template.spec?.containers.map(({ name }) => name)).toEqual(['only']);
    });

    test('apply() creates, and owns the fields it states', async () => {
      const { client, key } = await makeConfigMap();
      const metadata = { ...key, name: 'two' };
      const applied = await client.apply(
        ConfigMap,
        { metadata, data: { a: '1' } },
        { fieldManager: 'alice' },
      );
      expect(applied.metadata.managedFields).toMatchObject([
        { manager: 'alice', operation: 'Apply', fieldsV1: { 'f:data': { 'f:a': {} } } },
      ]);
    });

    test('apply() without a field is a removal of it, if nobody else owns it', async () => {
      const { client, key } = await makeConfigMap();
      const metadata = { ...key, name: 'two' };
      const as = (fieldManager: string, data: Record<string, string>) =>
        client.apply(ConfigMap, { metadata, data }, { fieldManager });
      await as('alice', { a: '1', shared: 's' });
      await as('bob', { shared: 's', b: '2' });
      expect((await as('alice', {})).data).toEqual({ shared: 's', b: '2' });
    });

    test('apply() of a field that somebody else owns is a conflict that names them', async () => {
      const { client, key } = await makeConfigMap();
      const metadata = { ...key, name: 'two' };
      await client.apply(ConfigMap, { metadata, data: { a: '1' } }, { fieldManager: 'alice' });
      const wanted = { metadata, data: { a: '2' } };
      const error = await rejection(client.apply(ConfigMap, wanted, { fieldManager: 'bob' }));
      expect(isConflict(error)).toBe(true);
      expect(error).toMatchObject({
        details: { causes: [{ reason: 'FieldManagerConflict', field: '.data.a' }] },
      });
      expect(String(error)).toContain('alice');
    });

    test('apply() with force takes the field over', async () => {
      const { client, key } = await makeConfigMap();
      const metadata = { ...key, name: 'two' };
      await client.apply(ConfigMap, { metadata, data: { a: '1' } }, { fieldManager: 'alice' });
      const options = { fieldManager: 'bob', force: true };
      const applied = await client.apply(ConfigMap, { metadata, data: { a: '2' } }, options);
      expect(applied.data).toEqual({ a: '2' });
      const owners = applied.metadata.managedFields?.map((entry) => entry.manager);
      expect(owners).toEqual(['bob']);
    });

    test('apply() by kubectl takes over what its annotation says it applied before', async () => {
      const { client } = subject();
      const namespace = await freshNamespace(subject());
      const metadata = { namespace, name: 'one' };
      const before = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { a: '1' } };
      const annotations = { [lastApplied]: JSON.stringify(before) };
      const data = { a: '1', b: '1' };
      await client.create(ConfigMap, { metadata: { ...metadata, annotations }, data });

      const options = { fieldManager: 'kubectl' };
      const applied = await client.apply(ConfigMap, { metadata, data: { a: '2' } }, options);
      expect(applied.data).toEqual({ a: '2', b: '1' });
      const told = `{"apiVersion":"v1","data":{"a":"2"},"kind":"ConfigMap","metadata":{"name":"one","namespace":"${namespace}"}}\n`;
      expect(applied.metadata.annotations).toEqual({ [lastApplied]: told });
      const beyond = { metadata, data: { a: '3', b: '3' } };
      expect(isConflict(await rejection(client.apply(ConfigMap, beyond, options)))).toBe(true);
    });

    test('apply() needs the name in the object to create it, and not to change it', async () => {
      const { client, key } = await makeConfigMap();
      const { namespace } = key;
      const path = `/api/v1/namespaces/${namespace}/configmaps`;
      const headers = { 'content-type': 'application/apply-patch+yaml' };
      const nameless = { apiVersion: 'v1', kind: 'ConfigMap', data: { c: '3' } };
      const apply = (name: string) =>
        client.raw({
          method: 'PATCH',
          path: `${path}/${name}?fieldManager=alice`,
          headers,
          body: JSON.stringify(nameless),
        });
      expect((await apply('one')).status).toBe(200);
      expect(await rejection(apply('two'))).toMatchObject({
        code: 400,
        message:
          'the name of the object (two based on URL) was undeterminable: name must be provided',
      });
    });

    test('apply() of a status creates what is not there, if an update may', async () => {
      const { client, key } = await makeConfigMap();
      const options = { subresource: 'status', fieldManager: 'alice' } as const;
      const metadata = { ...key, name: 'new' };
      const deployment = await rejection(
        client.apply(Deployment, { metadata, status: {} }, options),
      );
      expect(deployment).toMatchObject({ code: 404 });
      const service = await rejection(client.apply(Service, { metadata, status: {} }, options));
      expect(service).toMatchObject({ code: 422, details: { causes: [{ field: 'spec.ports' }] } });
    });

    test('apply() twice keeps the version', async () => {
      const { client, key } = await makeConfigMap();
      const wanted = { metadata: { ...key, name: 'two' }, data: { a: '1' } };
      const first = await client.apply(ConfigMap, wanted, { fieldManager: 'alice' });
      const second = await client.apply(ConfigMap, wanted, { fieldManager: 'alice' });
      expect(second.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
    });

    test('patch() and apply() of the status leave the rest alone', async () => {
      const { client, key } = await makeDeployment();
      const subresource = 'status' as const;
      const status = { observedGeneration: 41 };
      const patch = mergePatch({ metadata: { labels: { ignored: 'yes' } }, status });
      const patched = await client.patch(Deployment, key, patch, { subresource, dryRun: true });
      expect(patched.status?.observedGeneration).toBe(41);
      expect(patched.metadata.labels).toBeUndefined();
      const options = { subresource, dryRun: true, fieldManager: 'alice', force: true };
      const applied = await client.apply(Deployment, { metadata: key, status }, options);
      expect(applied.status?.observedGeneration).toBe(41);
    });

    test('an unknown patch type is refused', async () => {
      const { client, key } = await makeConfigMap();
      const patch = { contentType: 'application/nonsense', body: {} };
      expect(await rejection(client.patch(ConfigMap, key, patch))).toMatchObject({ code: 415 });
    });
  });
}
