import {
  ConfigMap,
  CustomResourceDefinition,
  defineKind,
  type KubeObject,
  mergePatch,
  Namespace,
  Pod,
  Secret,
} from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { podTemplate } from './play-kubelet.ts';
import { freshNamespace, type GetSubject } from './subject.ts';

/** Kubernetes lets a namespace rest for five seconds before it empties it. */
const patiently = { timeoutMs: 30_000 };
const patientTest = { timeout: 120_000 };

/** What deleting a namespace does to what is in it. */
export function namespaceDeletion(subject: GetSubject): void {
  describe('namespace deletion', () => {
    const untilGone = (name: string) =>
      eventually(
        async () => expect(await subject().client.get(Namespace, { name })).toBeUndefined(),
        patiently,
      );

    test('every namespace has the certificate of the API server, again when it was deleted', async () => {
      const { client } = subject();
      const key = { namespace: await freshNamespace(subject()), name: 'kube-root-ca.crt' };
      const read = () =>
        eventually(async () => {
          const found = await client.get(ConfigMap, key);
          expect(found?.data).toEqual({ 'ca.crt': expect.any(String) });
          return found;
        });
      const first = await read();
      await client.delete(ConfigMap, key);
      await eventually(async () =>
        expect((await read())?.metadata.uid).not.toBe(first?.metadata.uid),
      );
    });

    test('an empty namespace goes, after a moment of Terminating', patientTest, async () => {
      const { client } = subject();
      const name = await freshNamespace(subject());
      const leaving = await client.delete(Namespace, { name });
      expect(leaving?.status?.phase).toBe('Terminating');
      await untilGone(name);
    });

    test('what is in it goes with it, custom objects too', patientTest, async () => {
      const { client } = subject();
      const namespace = await freshNamespace(subject());
      const { Widget, drop } = await defineWidget(subject);
      await client.create(ConfigMap, { metadata: { namespace, name: 'one' } });
      await client.create(Secret, { metadata: { namespace, name: 'two' } });
      await eventually(() => client.create(Widget, { metadata: { namespace, name: 'three' } }));
      await client.delete(Namespace, { name: namespace });
      await untilGone(namespace);
      expect((await client.list(Widget, { namespace })).items).toEqual([]);
      expect((await client.list(Secret, { namespace })).items).toEqual([]);
      await drop();
    });

    test('its conditions tell what is left and which finalizers hold it', patientTest, async () => {
      const { client } = subject();
      const namespace = await freshNamespace(subject());
      const key = { namespace, name: 'held' };
      const finalizers = ['example.org/hold'];
      await client.create(ConfigMap, { metadata: { ...key, finalizers } });
      await client.delete(Namespace, { name: namespace });
      await eventually(async () => {
        const { status } = (await client.get(Namespace, { name: namespace })) ?? {};
        const brief = status?.conditions?.map(
          ({ type, status, reason, message }) => `${type} ${status} ${reason}: ${message}`,
        );
        expect(brief).toEqual([
          'NamespaceDeletionDiscoveryFailure False ResourcesDiscovered: All resources successfully discovered',
          'NamespaceDeletionGroupVersionParsingFailure False ParsedGroupVersions: All legacy kube types successfully parsed',
          'NamespaceDeletionContentFailure False ContentDeleted: All content successfully deleted, may be waiting on finalization',
          'NamespaceContentRemaining True SomeResourcesRemain: Some resources are remaining: configmaps. has 1 resource instances',
          'NamespaceFinalizersRemaining True SomeFinalizersRemain: Some content in the namespace has finalizers remaining: example.org/hold in 1 resource instances',
        ]);
      }, patiently);
      await client.patch(ConfigMap, key, mergePatch({ metadata: { finalizers: null } }));
    });

    test('nothing else goes before the pods have gone', patientTest, async () => {
      const { client } = subject();
      const namespace = await freshNamespace(subject());
      const pod = { namespace, name: 'pod' };
      const metadata = { ...pod, finalizers: ['example.org/hold'] };
      await client.create(Pod, { metadata, spec: podTemplate({}).spec });
      await client.create(Secret, { metadata: { namespace, name: 'needed' } });
      await client.delete(Namespace, { name: namespace });
      await eventually(async () => {
        expect((await client.get(Pod, pod))?.metadata.deletionTimestamp).toBeDefined();
        const { status } = (await client.get(Namespace, { name: namespace })) ?? {};
        expect(status?.conditions?.map(({ reason }) => reason)).toContain('ContentRemoved');
      }, patiently);
      const secret = await client.get(Secret, { namespace, name: 'needed' });
      expect(secret?.metadata.deletionTimestamp).toBeUndefined();
      await client.patch(Pod, pod, mergePatch({ metadata: { finalizers: null } }));
    });
  });
}

/** A kind of the test's own. */
async function defineWidget(subject: GetSubject) {
  const { client } = subject();
  const group = `w${crypto.randomUUID().slice(0, 8)}.example.org`;
  const names = { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' };
  const openAPIV3Schema = { type: 'object' };
  const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }];
  const name = `widgets.${group}`;
  await client.create(CustomResourceDefinition, {
    metadata: { name },
    spec: { group, names, scope: 'Namespaced', versions },
  });
  const Widget = defineKind<KubeObject>({
    apiVersion: `${group}/v1`,
    kind: 'Widget',
    plural: 'widgets',
    scope: 'Namespaced',
  });
  return { Widget, drop: () => client.delete(CustomResourceDefinition, { name }) };
}
