import { ConfigMap, isNotFound, mergePatch, Namespace } from '@liqo/kube';
import { expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { rejection } from '../rejection.ts';
import { freshNamespace, type GetSubject } from './subject.ts';

/** Namespaces come before what is in them, and go after it. */
export function namespaceLifecycle(subject: GetSubject): void {
  test('nothing is created in a namespace that is not there', async () => {
    const metadata = { namespace: 'nowhere', name: 'one' };
    const error = await rejection(subject().client.create(ConfigMap, { metadata }));
    expect(isNotFound(error)).toBe(true);
    expect(error).toMatchObject({
      message: 'namespaces "nowhere" not found',
      details: { kind: 'namespaces', name: 'nowhere' },
    });
  });

  /** A finalizer keeps it from going at once. */
  const makeTerminating = async () => {
    const { client } = subject();
    const namespace = await freshNamespace(subject());
    const metadata = { namespace, name: 'holder', finalizers: ['example.org/hold'] };
    await client.create(ConfigMap, { metadata });
    await client.delete(Namespace, { name: namespace });
    await eventually(async () => {
      const { status } = (await client.get(Namespace, { name: namespace })) ?? {};
      expect(status?.phase).toBe('Terminating');
    });
    return namespace;
  };
  const release = async (namespace: string) => {
    const patch = mergePatch({ metadata: { finalizers: null } });
    await subject().client.patch(ConfigMap, { namespace, name: 'holder' }, patch);
  };

  test('nothing new is created in a namespace that goes', async () => {
    const namespace = await makeTerminating();
    const metadata = { namespace, name: 'one' };
    expect(await rejection(subject().client.create(ConfigMap, { metadata }))).toMatchObject({
      code: 403,
      reason: 'Forbidden',
      message: `configmaps "one" is forbidden: unable to create new content in namespace ${namespace} because it is being terminated`,
      details: {
        name: 'one',
        kind: 'configmaps',
        causes: [
          {
            reason: 'NamespaceTerminating',
            message: `namespace ${namespace} is being terminated`,
            field: 'metadata.namespace',
          },
        ],
      },
    });
    await release(namespace);
  });

  test('what is in a namespace that goes can still be changed', async () => {
    const namespace = await makeTerminating();
    const key = { namespace, name: 'holder' };
    const patched = await subject().client.patch(ConfigMap, key, mergePatch({ data: { a: '1' } }));
    expect(patched.data).toEqual({ a: '1' });
    await release(namespace);
  });

  test.each(['default', 'kube-system', 'kube-public'])('namespace %s stays', async (name) => {
    expect(await rejection(subject().client.delete(Namespace, { name }))).toMatchObject({
      code: 403,
      message: `namespaces "${name}" is forbidden: this namespace may not be deleted`,
    });
  });
}
