import { labels, NamespaceMap, ShadowEndpointSlice, ShadowPod } from '@liqo/api';
import {
  type Client,
  ConfigMap,
  Ingress,
  jsonPatch,
  mergePatch,
  Namespace,
  PersistentVolumeClaim,
  RoleBinding,
  Secret,
  Service,
  strategicMergePatch,
} from '@liqo/kube';
import { eventually } from '@liqo/testkit';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectDenied, type GetStage, prepareConsumer } from './policy-stage.ts';

const namespace = 'market-paris';
const tenantNamespace = 'liqo-tenant-paris';
const claims = 'liqo-consumer-claims';
const finalizerPolicy = 'liqo-consumer-finalizers';
const kept = ['paris.example.org/kept'];
const externalIPs = ['203.0.113.7'];

/** A consumer that knows the policies, and looks for ways around them. The stage allows the host `shop.example.org`. */
export function consumerBypassAttacks(stage: GetStage): void {
  let consumer: Client;
  let controlPlane: Client;
  let admin: Client;
  let count = 0;

  const named = (more: object = {}) => {
    count += 1;
    return { namespace, name: `y-${count}`, ...more };
  };
  const service = (spec: Service['spec'] = {}): Service => ({
    metadata: named(),
    spec: { ports: [{ port: 80 }], selector: { app: 'web' }, ...spec },
  });
  const claim = (spec: PersistentVolumeClaim['spec'], more: object = {}) => ({
    metadata: named(more),
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' } },
      storageClassName: 'standard',
      ...spec,
    },
  });
  const ingress = (more: object): Ingress => {
    const backend = { service: { name: 'web', port: { number: 80 } } };
    const paths = [{ path: '/', pathType: 'Prefix' as const, backend }];
    return {
      metadata: named(more),
      spec: { rules: [{ host: 'shop.example.org', http: { paths } }] },
    };
  };

  beforeAll(async () => {
    ({ admin } = stage());
    await prepareConsumer(admin, namespace, 'paris');
    const marks = { [labels.remoteClusterID]: 'paris', [labels.tenantNamespace]: 'true' };
    await admin.create(Namespace, { metadata: { name: tenantNamespace, labels: marks } });
    const apiGroup = 'rbac.authorization.k8s.io';
    await admin.create(RoleBinding, {
      metadata: { namespace: tenantNamespace, name: 'paris' },
      roleRef: { apiGroup, kind: 'ClusterRole', name: 'liqo-remote-controlplane' },
      subjects: [{ apiGroup, kind: 'User', name: 'paris' }],
    });
    consumer = await stage().as({ name: 'mypool-paris', groups: ['paris'] });
    controlPlane = await stage().as({ name: 'paris', groups: [] });
    await eventually(async () => {
      expect(await consumer.list(Secret, { namespace })).toBeDefined();
      expect(await controlPlane.list(NamespaceMap, { namespace: tenantNamespace })).toBeDefined();
    });
  });

  describe('a consumer that knows the policies', () => {
    test('gets no further by apply, patches of other types, or update', async () => {
      const attack = service({ externalIPs });
      const options = { fieldManager: 'paris', force: true };
      await expectDenied(consumer.apply(Service, attack, options), 'liqo-consumer-services');
      const live = await consumer.create(Service, service());
      const patches = [
        jsonPatch([{ op: 'add', path: '/spec/externalIPs', value: externalIPs }]),
        strategicMergePatch({ spec: { externalIPs } }),
      ];
      for (const patch of patches) {
        const call = consumer.patch(Service, live.metadata, patch);
        await expectDenied(call, 'liqo-consumer-services');
      }
      const updated = { ...live, spec: { ...live.spec, externalIPs } };
      await expectDenied(consumer.update(Service, updated), 'liqo-consumer-services');
      const applied = { metadata: live.metadata, spec: { externalIPs } };
      const { namespace: _, name } = live.metadata;
      const metadata = { namespace, name };
      const call = consumer.apply(Service, { ...applied, metadata }, options);
      await expectDenied(call, 'liqo-consumer-services');
    });

    test('cannot take volumes by the claim of an ephemeral volume, which Kubernetes makes', async () => {
      const owner = { apiVersion: 'v1', kind: 'Pod', name: 'web', uid: 'x', controller: true };
      const forPod = (spec: PersistentVolumeClaim['spec'], more: object = {}) =>
        admin.create(PersistentVolumeClaim, claim(spec, { ownerReferences: [owner], ...more }));
      await forPod({});
      await expectDenied(forPod({ volumeName: 'backups' }), claims, 'choose a volume');
      await expectDenied(forPod({ storageClassName: '' }), claims, 'storage class');
      const annotations = { 'volume.beta.kubernetes.io/storage-class': 'x' };
      await expectDenied(forPod({}, { annotations }), 'liqo-consumer-claim-annotations');
    });

    test('cannot keep objects, and with them their namespace, from being deleted', async () => {
      const held = () => named({ finalizers: kept });
      const pod = { containers: [{ name: 'web', image: 'nginx' }] };
      const map = { ...held(), namespace: tenantNamespace };
      const template = { addressType: 'IPv4' as const, endpoints: [], ports: [] };
      const attacks = [
        () => consumer.create(ConfigMap, { metadata: held() }),
        () => consumer.create(Secret, { metadata: held() }),
        () => consumer.create(Service, { ...service(), metadata: held() }),
        () => consumer.create(PersistentVolumeClaim, claim({}, { finalizers: kept })),
        () => consumer.create(Ingress, ingress({ finalizers: kept })),
        () => consumer.create(ShadowEndpointSlice, { metadata: held(), spec: { template } }),
        () => consumer.create(ShadowPod, { metadata: held(), spec: { pod } }),
        () => controlPlane.create(NamespaceMap, { metadata: map, spec: {} }),
      ];
      for (const attack of attacks) await expectDenied(attack(), finalizerPolicy);
      const { metadata } = await consumer.create(ConfigMap, { metadata: named() });
      const patch = mergePatch({ metadata: { finalizers: kept } });
      await expectDenied(consumer.patch(ConfigMap, metadata, patch), finalizerPolicy);
    });

    test('leaves finalizers of the provider, removes them, and deletes in the foreground', async () => {
      const { metadata } = await admin.create(ConfigMap, {
        metadata: named({ finalizers: kept }),
      });
      const marks = mergePatch({ metadata: { labels: { a: 'b' } } });
      await consumer.patch(ConfigMap, metadata, marks);
      await consumer.delete(ConfigMap, metadata, { propagationPolicy: 'Foreground' });
      await consumer.patch(ConfigMap, metadata, mergePatch({ metadata: { finalizers: null } }));
    });

    test.each([
      'cert-manager.io/common-name',
      'cert-manager.io/alt-names',
      'traefik.ingress.kubernetes.io/router.middlewares',
      'alb.ingress.kubernetes.io/group.name',
      'nginx.org/server-snippets',
      'nginx.ingress.kubernetes.io/mirror-target',
    ])('cannot take hosts or credentials of others by the annotation %s', async (key) => {
      const call = consumer.create(Ingress, ingress({ annotations: { [key]: 'bank' } }));
      await expectDenied(call, 'liqo-consumer-ingress-annotations');
    });

    test('cannot give orders to other controllers by labels', async () => {
      const metadata = named({ labels: { grafana_datasource: '1' } });
      await expectDenied(consumer.create(ConfigMap, { metadata }), 'liqo-consumer-annotations');
    });

    test.each(['::ffff:127.0.0.1', '127.1', '0177.0.0.1', 'fe80::1', '::1', '::'])(
      'cannot make "%s" an endpoint',
      async (address) => {
        const endpoints = [{ addresses: ['10.71.0.5', address] }];
        const template = { addressType: 'IPv6' as const, endpoints, ports: [] };
        const call = consumer.create(ShadowEndpointSlice, {
          metadata: named(),
          spec: { template },
        });
        await expectDenied(call, 'liqo-consumer-endpoints');
      },
    );
  });
}
