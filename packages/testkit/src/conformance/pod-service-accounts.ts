import { Pod, ServiceAccount } from '@liqo/kube';
import { expect, test } from 'vitest';
import { rejection } from '../rejection.ts';
import { freshNamespace, type GetSubject } from './subject.ts';

const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount';
const container = { name: 'main', image: 'example.org/app' };

/** What a pod gets from its service account. */
export function podServiceAccounts(subject: GetSubject): void {
  const createPod = async (spec: object = {}, account: object = {}) => {
    const { client } = subject();
    const namespace = await freshNamespace(subject());
    await client.create(ServiceAccount, { metadata: { namespace, name: 'worker' }, ...account });
    const metadata = { namespace, name: 'one' };
    return client.create(Pod, { metadata, spec: { containers: [container], ...spec } });
  };

  test('a pod runs as the default service account of its namespace', async () => {
    const { spec } = await createPod();
    expect(spec).toMatchObject({ serviceAccountName: 'default', serviceAccount: 'default' });
  });

  test('a pod gets a token, the root certificate and its namespace mounted', async () => {
    const { spec } = await createPod({ initContainers: [{ ...container, name: 'first' }] });
    const volume = spec?.volumes?.[0];
    expect(volume).toEqual({
      name: expect.stringMatching(/^kube-api-access-[bcdfghjklmnpqrstvwxz2456789]{5}$/),
      projected: {
        defaultMode: 420,
        sources: [
          { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
          { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
          {
            downwardAPI: {
              items: [
                {
                  path: 'namespace',
                  fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' },
                },
              ],
            },
          },
        ],
      },
    });
    const mounts = [{ name: volume?.name, readOnly: true, mountPath }];
    expect(spec?.containers[0]?.volumeMounts).toEqual(mounts);
    expect(spec?.initContainers?.[0]?.volumeMounts).toEqual(mounts);
  });

  test('a container with something else in that place is left alone', async () => {
    const volumeMounts = [{ name: 'own', mountPath }];
    const volumes = [{ name: 'own', emptyDir: {} }];
    const { spec } = await createPod({ volumes, containers: [{ ...container, volumeMounts }] });
    expect(spec?.volumes?.map(({ name }) => name)).toEqual(['own']);
    expect(spec?.containers[0]?.volumeMounts).toEqual(volumeMounts);
  });

  test('a volume by the usual name is used as it is', async () => {
    const volumes = [{ name: 'kube-api-access-mine', emptyDir: {} }];
    const { spec } = await createPod({ volumes });
    expect(spec?.volumes).toEqual(volumes);
    expect(spec?.containers[0]?.volumeMounts?.[0]).toMatchObject({ name: 'kube-api-access-mine' });
  });

  const automount: readonly (readonly [string, object, object, boolean])[] = [
    ['a pod can do without the token', { automountServiceAccountToken: false }, {}, false],
    ['a service account can do without', {}, { automountServiceAccountToken: false }, false],
    [
      'the pod has the last word',
      { automountServiceAccountToken: true },
      { automountServiceAccountToken: false },
      true,
    ],
  ];
  test.each(automount)('%s', async (_, podSpec, account, isMounted) => {
    const { spec } = await createPod({ serviceAccountName: 'worker', ...podSpec }, account);
    expect(spec?.volumes !== undefined).toBe(isMounted);
  });

  test('a pod takes over the pull secrets of its service account', async () => {
    const account = { imagePullSecrets: [{ name: 'a' }, { name: 'b' }] };
    const { spec } = await createPod({ serviceAccountName: 'worker' }, account);
    expect(spec?.imagePullSecrets).toEqual([{ name: 'a' }, { name: 'b' }]);
  });

  test('pull secrets of its own are enough for a pod', async () => {
    const own = { serviceAccountName: 'worker', imagePullSecrets: [{ name: 'own' }] };
    const { spec } = await createPod(own, { imagePullSecrets: [{ name: 'a' }] });
    expect(spec?.imagePullSecrets).toEqual([{ name: 'own' }]);
  });

  test('a service account that is not there is a refusal', async () => {
    const { client } = subject();
    const namespace = await freshNamespace(subject());
    const spec = { containers: [container], serviceAccountName: 'absent' };
    const creation = client.create(Pod, { metadata: { namespace, name: 'one' }, spec });
    expect(await rejection(creation)).toMatchObject({
      code: 403,
      message: `pods "one" is forbidden: error looking up service account ${namespace}/absent: serviceaccount "absent" not found`,
      details: { name: 'one', kind: 'pods' },
    });
  });
}
