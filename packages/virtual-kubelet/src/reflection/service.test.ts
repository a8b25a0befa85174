import { labels, VirtualNode } from '@liqo/api';
import { type JsonObject, mergePatch, Service, type Stored } from '@liqo/kube';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startRunningWorld, tenantNamespace } from '../testing/offloading-world.ts';

type Spec = NonNullable<Service['spec']>;

let world: Awaited<ReturnType<typeof startRunningWorld>>;
beforeEach(async () => {
  world = await startRunningWorld();
});
afterEach(() => world[Symbol.asyncDispose]());

const local = { namespace: 'shop', name: 'cart' };
const remote = { namespace: 'shop-rome', name: 'cart' };
const web: Spec = { selector: { app: 'cart' }, ports: [{ port: 80, targetPort: 8080 }] };

const create = (spec: Spec) => world.home.admin.create(Service, { metadata: local, spec });

const change = (spec: JsonObject) => world.home.admin.patch(Service, local, mergePatch({ spec }));

/** The copy, once it is as expected. */
async function copyLike(spec: object): Promise<Stored<Service>> {
  return world.until(async () => {
    const found = await world.away.admin.get(Service, remote);
    expect(found?.spec).toMatchObject(spec);
    if (!found) throw new Error('The Service is not reflected');
    return found;
  });
}

const reasons = () =>
  world.events.filter(({ regarding }) => regarding.kind === 'Service').map(({ reason }) => reason);

test('a Service has an address of the provider, and follows every change of its kind', async () => {
  const original = await create(web);
  const first = await copyLike(web);
  expect(first.spec?.clusterIP).toMatch(/^10\./);
  expect(first.metadata.labels).toEqual({
    [labels.origin]: 'rome',
    [labels.destination]: 'milan',
  });
  expect(original.spec?.clusterIP).toBeDefined();
  await change({ type: 'NodePort' });
  await copyLike({ type: 'NodePort', clusterIP: first.spec?.clusterIP });
  await world.home.admin.delete(Service, local);
  await world.until(async () =>
    expect(await world.away.admin.get(Service, remote)).toBeUndefined(),
  );
});

test('a Service that is created again as a headless one gets a new copy', async () => {
  await create(web);
  const first = await copyLike(web);
  await world.home.admin.delete(Service, local);
  await create({ ...web, clusterIP: 'None' });
  const second = await copyLike({ ...web, clusterIP: 'None' });
  expect(second.metadata.uid).not.toBe(first.metadata.uid);
});

test('a Service of a type that the provider denies says so, and its copy stays as it was', async () => {
  await create(web);
  await copyLike(web);
  await change({ type: 'ExternalName', externalName: 'db.example.org', selector: null });
  await world.until(() => expect(reasons()).toContain('FailedReflection'));
  await copyLike({ ...web, type: 'ClusterIP' });
  expect(world.away.denied.denials.splice(0)).not.toEqual([]);
});

test('a selector that is changed by hand at the provider is repaired', async () => {
  await create(web);
  await copyLike(web);
  const { admin } = world.away;
  await admin.patch(Service, remote, mergePatch({ spec: { selector: { more: 'x' } } }));
  await world.until(async () =>
    expect((await admin.get(Service, remote))?.spec?.selector).toEqual({ app: 'cart' }),
  );
});

test('a load balancer has the class that the provider offers, and the user is told', async () => {
  const key = { namespace: tenantNamespace, name: 'mynode' };
  const loadBalancerClasses = [{ loadBalancerClassName: 'example.org/metal', default: true }];
  await world.home.admin.patch(VirtualNode, key, mergePatch({ spec: { loadBalancerClasses } }));
  const type = 'LoadBalancer';
  await create({ ...web, type, loadBalancerClass: 'example.org/own' });
  await copyLike({ type, loadBalancerClass: 'example.org/metal' });
  await world.until(() => expect(reasons()).toContain('ClassNotOffered'));
});
