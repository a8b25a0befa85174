import { annotations, fixedNames, labels, ResourceSlice, ShadowEndpointSlice } from '@liqo/api';
import {
  type Client,
  ClusterRole,
  ConfigMap,
  CustomResourceDefinition,
  Ingress,
  type Kind,
  type KubeObject,
  mergePatch,
  Namespace,
  PersistentVolumeClaim,
  RoleBinding,
  Secret,
  Service,
} from '@liqo/kube';
import { forgeCustomTenantBinding } from '@liqo/model';
import { eventually } from '@liqo/testkit';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectDenied, type GetStage, prepareConsumer } from './policy-stage.ts';

const namespace = 'shop-rome';
const servicesPolicy = 'liqo-consumer-services';
const ingressesPolicy = 'liqo-consumer-ingresses';
const claimsPolicy = 'liqo-consumer-claims';
const ports = [{ port: 80 }];
const backend = { service: { name: 'web', port: { number: 80 } } };
const resources = { requests: { storage: '1Gi' } };

/** The stage allows consumers the Ingress hosts `shop.example.org` and `*.rome.example.org`. */
export const allowedHosts = ['shop.example.org', '*.rome.example.org'];

/** A malicious consumer against the cluster of its provider, with the credentials of its virtual kubelet. */
export function consumerAttacks(stage: GetStage): void {
  let consumer: Client;
  let admin: Client;
  let count = 0;

  const named = (annotations: Record<string, string> = {}) => {
    count += 1;
    return { namespace, name: `x-${count}`, annotations };
  };
  const service = (spec: Service['spec'], annotations?: Record<string, string>): Service => ({
    metadata: named(annotations),
    spec: { ports, selector: { app: 'web' }, ...spec },
  });
  const ingress = (spec: Ingress['spec']): Ingress => ({ metadata: named(), spec: { ...spec } });
  const forHost = (host: string) =>
    ingress({ rules: [{ host, http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }] });
  const claim = (spec: PersistentVolumeClaim['spec']): PersistentVolumeClaim => ({
    metadata: named(),
    spec: { accessModes: ['ReadWriteOnce'], resources, storageClassName: 'standard', ...spec },
  });
  const endpoint = (address: string): ShadowEndpointSlice => ({
    metadata: named(),
    spec: { template: { addressType: 'IPv4', endpoints: [{ addresses: [address] }], ports: [] } },
  });

  beforeAll(async () => {
    ({ admin } = stage());
    await prepareConsumer(admin, namespace, 'rome');
    consumer = await stage().as({ name: 'mypool-rome', groups: ['rome'] });
    await eventually(async () => expect(await consumer.list(Secret, { namespace })).toBeDefined());
  });

  describe('a consumer', () => {
    test('creates and changes what Liqo reflects', async () => {
      await consumer.create(ConfigMap, { metadata: named({ 'example.org/x': 'y' }) });
      await consumer.create(Secret, { metadata: named(), type: 'Opaque' });
      const created = await consumer.create(Service, service({ type: 'ClusterIP' }));
      await consumer.create(Service, service({ clusterIP: 'None' }));
      await consumer.create(Service, service({ type: 'NodePort' }));
      await consumer.create(Service, service({ type: 'LoadBalancer' }));
      const marks = mergePatch({ metadata: { labels: { a: 'b' } } });
      await consumer.patch(Service, created.metadata, marks);
      await consumer.create(PersistentVolumeClaim, claim({}));
      await consumer.create(ShadowEndpointSlice, endpoint('10.71.0.5'));
    });

    test('writes a custom resource that it is granted, without finalizers and the annotations of others', async () => {
      const widgets: Kind<KubeObject> = {
        group: 'example.org',
        version: 'v1',
        kind: 'Widget',
        plural: 'widgets',
        namespaced: true,
      };
      const schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } as const;
      await admin.create(CustomResourceDefinition, {
        metadata: { name: 'widgets.example.org' },
        spec: {
          group: 'example.org',
          scope: 'Namespaced',
          names: { kind: 'Widget', plural: 'widgets' },
          versions: [
            { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } },
          ],
        },
      });
      const name = fixedNames.customRemoteRole;
      const verbs = ['create', 'patch'];
      await admin.create(ClusterRole, {
        metadata: { name },
        rules: [{ apiGroups: ['example.org'], resources: ['widgets'], verbs }],
      });
      const remote = {
        local: '',
        remote: namespace,
        consumerClusterID: 'rome',
        liqoNamespace: 'liqo',
        namespaceMapKey: '',
        podSecurity: 'baseline',
      } as const;
      await admin.create(RoleBinding, forgeCustomTenantBinding(remote, 'liqo-tenant-rome'));
      const policy = 'liqo-consumer-custom-resources';
      const widget = (more: object = {}) => ({ metadata: { ...named(), ...more } });
      await eventually(async () => {
        expect(await consumer.create(widgets, widget())).toBeDefined();
      });
      const held = consumer.create(widgets, widget({ finalizers: ['example.org/hold'] }));
      await expectDenied(held, policy, 'finalizers');
      const annotations = { 'external-dns.alpha.kubernetes.io/hostname': 'milan.example.org' };
      await expectDenied(consumer.create(widgets, widget({ annotations })), policy, 'annotations');
    });

    test('cannot cordon or uncordon its slices, or have them taken for requests of the provider', async () => {
      const tenantNamespace = 'liqo-tenant-rome';
      const marks = { [labels.remoteClusterID]: 'rome', [labels.tenantNamespace]: 'true' };
      await admin.create(Namespace, { metadata: { name: tenantNamespace, labels: marks } });
      const group = 'rbac.authorization.k8s.io';
      await admin.create(RoleBinding, {
        metadata: { namespace: tenantNamespace, name: 'controlplane' },
        roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'liqo-remote-controlplane' },
        subjects: [{ apiGroup: group, kind: 'User', name: 'rome' }],
      });
      const controlPlane = await stage().as({ name: 'rome', groups: ['liqo.io'] });
      const key = { namespace: tenantNamespace, name: 'mypool' };
      await eventually(async () => {
        expect(await controlPlane.list(ResourceSlice, key)).toBeDefined();
      });
      const request = (marks: Record<string, string>) =>
        controlPlane.create(ResourceSlice, {
          metadata: { ...key, labels: marks },
          spec: { class: 'default' },
        });
      const copy = { [labels.replicated]: 'true' };
      await expectDenied(request({}), 'liqo-consumer-slices', 'are copies');
      const asOwn = request({ ...copy, [labels.replication]: 'true' });
      await expectDenied(asOwn, 'liqo-consumer-slices', 'are copies');
      await request(copy);
      const unmark = mergePatch({ metadata: { labels: { [labels.replicated]: null } } });
      const unmarking = controlPlane.patch(ResourceSlice, key, unmark);
      await expectDenied(unmarking, 'liqo-consumer-slices', 'are copies');
      const note = (annotation: string, value: string | null) =>
        mergePatch({ metadata: { annotations: { [annotation]: value } } });
      for (const annotation of [annotations.cordon, annotations.cordonTenant]) {
        const change = (value: string | null) =>
          controlPlane.patch(ResourceSlice, key, note(annotation, value));
        await expectDenied(change('true'), 'liqo-consumer-slices', 'only the provider');
        await admin.patch(ResourceSlice, key, note(annotation, 'true'));
        await expectDenied(change(null), 'liqo-consumer-slices', 'only the provider');
        await expectDenied(change('false'), 'liqo-consumer-slices', 'only the provider');
      }
      const mark = (value: string | null) =>
        controlPlane.patch(
          ResourceSlice,
          key,
          mergePatch({ metadata: { labels: { [labels.remoteClusterID]: value } } }),
        );
      await expectDenied(mark('paris'), 'liqo-consumer-slices', 'is that of its namespace');
      await expectDenied(mark('rome'), 'liqo-consumer-slices', 'and does not change');
      const foreign = { ...copy, [labels.remoteClusterID]: 'paris' };
      await expectDenied(request(foreign), 'liqo-consumer-slices', 'is that of its namespace');
      await controlPlane.patch(ResourceSlice, key, note('team', 'blue'));
      await controlPlane.patch(ResourceSlice, key, mergePatch({ spec: { class: 'other' } }));
    });

    test('cannot take traffic of others by an address', async () => {
      const attack = service({ externalIPs: ['203.0.113.7'] });
      await expectDenied(consumer.create(Service, attack), servicesPolicy, 'external IPs');
      const chosen = service({ type: 'LoadBalancer', loadBalancerIP: '203.0.113.7' });
      await expectDenied(consumer.create(Service, chosen), servicesPolicy, 'load balancer');
      const { metadata } = await consumer.create(Service, service({}));
      const patch = mergePatch({ spec: { externalIPs: ['203.0.113.7'] } });
      await expectDenied(consumer.patch(Service, metadata, patch), servicesPolicy);
      const foreign = service({ type: 'ExternalName', externalName: 'kubernetes.default.svc' });
      await expectDenied(consumer.create(Service, foreign), servicesPolicy, 'this type');
    });

    test('leaves an external IP that the provider has given its Service', async () => {
      const { metadata } = await admin.create(Service, service({ externalIPs: ['203.0.113.8'] }));
      const marks = mergePatch({ metadata: { labels: { a: 'b' } } });
      await consumer.patch(Service, metadata, marks);
      const more = mergePatch({ spec: { externalIPs: ['203.0.113.8', '203.0.113.9'] } });
      await expectDenied(consumer.patch(Service, metadata, more), servicesPolicy);
    });

    test.each(['shop.example.org', 'a.rome.example.org', 'a.b.rome.example.org'])(
      'creates an Ingress for the host "%s", which the provider allows',
      async (host) => {
        await consumer.create(Ingress, forHost(host));
      },
    );

    test.each(['bank.example.org', 'rome.example.org', 'xshop.example.org', '*.example.org'])(
      'cannot create an Ingress for the host "%s"',
      async (host) => {
        await expectDenied(consumer.create(Ingress, forHost(host)), ingressesPolicy, 'this host');
      },
    );

    test('cannot create an Ingress for all hosts, nor ask for certificates of others', async () => {
      const rules = [{ http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }];
      await expectDenied(consumer.create(Ingress, ingress({ rules })), ingressesPolicy);
      const all = ingress({ defaultBackend: backend });
      await expectDenied(consumer.create(Ingress, all), ingressesPolicy, 'all hosts');
      const tls = [{ hosts: ['bank.example.org'], secretName: 'x' }];
      const { rules: own = [] } = forHost('shop.example.org').spec ?? {};
      const attack = ingress({ rules: own, tls });
      await expectDenied(consumer.create(Ingress, attack), ingressesPolicy, 'certificates');
      const { metadata } = await consumer.create(Ingress, forHost('shop.example.org'));
      const { rules: foreign = [] } = forHost('bank.example.org').spec ?? {};
      const patch = mergePatch({ spec: { rules: foreign as never } });
      await expectDenied(consumer.patch(Ingress, metadata, patch), ingressesPolicy);
    });

    test('cannot take volumes or data of others', async () => {
      const create = (spec: PersistentVolumeClaim['spec']) =>
        consumer.create(PersistentVolumeClaim, claim(spec));
      await expectDenied(create({ volumeName: 'backups' }), claimsPolicy, 'choose a volume');
      const selector = { matchLabels: { content: 'backups' } };
      await expectDenied(create({ selector }), claimsPolicy, 'by its labels');
      await expectDenied(create({ storageClassName: '' }), claimsPolicy, 'storage class');
      const { metadata } = await create({});
      const patch = mergePatch({ spec: { volumeName: 'backups' } });
      await expectDenied(consumer.patch(PersistentVolumeClaim, metadata, patch), claimsPolicy);
    });

    test('cannot have tokens of service accounts', async () => {
      const annotations = { 'kubernetes.io/service-account.name': 'default' };
      const metadata = named(annotations);
      const secret = { metadata, type: 'kubernetes.io/service-account-token' };
      await expectDenied(consumer.create(Secret, secret), 'liqo-consumer-secrets');
      await expectDenied(
        consumer.create(Secret, secret, { dryRun: true }),
        'liqo-consumer-secrets',
      );
    });

    test.each(['127.0.0.1', '169.254.169.254', '0.0.0.0', '224.0.0.1', 'bank.example.org'])(
      'cannot make "%s" an endpoint',
      async (address) => {
        const call = consumer.create(ShadowEndpointSlice, endpoint(address));
        await expectDenied(call, 'liqo-consumer-endpoints');
      },
    );

    test('cannot give orders to other controllers by annotations', async () => {
      const hostname = { 'external-dns.alpha.kubernetes.io/hostname': 'bank.example.org' };
      const policy = 'liqo-consumer-annotations';
      await expectDenied(consumer.create(Service, service({}, hostname)), policy);
      const { metadata } = await consumer.create(ConfigMap, { metadata: named() });
      const annotations = { 'replicator.v1.mittwald.de/replicate-from': 'bank/keys' };
      const patch = mergePatch({ metadata: { annotations } });
      await expectDenied(consumer.patch(ConfigMap, metadata, patch), policy);
      const alias = { 'nginx.ingress.kubernetes.io/server-alias': 'bank.example.org' };
      const attack = { ...forHost('shop.example.org'), metadata: named(alias) };
      const ofIngress = 'liqo-consumer-ingress-annotations';
      await expectDenied(consumer.create(Ingress, attack), ofIngress);
      const slice = { ...endpoint('10.80.0.3'), metadata: named(hostname) };
      const ofEndpoints = 'liqo-consumer-endpoint-annotations';
      await expectDenied(consumer.create(ShadowEndpointSlice, slice), ofEndpoints);
    });
  });

  test('policies for consumers do not concern users of the provider', async () => {
    await admin.create(Service, service({ externalIPs: ['203.0.113.10'] }));
    await admin.create(Ingress, forHost('bank.example.org'));
    await admin.create(PersistentVolumeClaim, claim({ volumeName: 'backups' }));
  });
}
