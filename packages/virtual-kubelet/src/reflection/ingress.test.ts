import { VirtualNode } from '@liqo/api';
import { Ingress, mergePatch, ValidatingAdmissionPolicyBinding } from '@liqo/kube';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startRunningWorld, tenantNamespace } from '../testing/offloading-world.ts';

let world: Awaited<ReturnType<typeof startRunningWorld>>;
beforeEach(async () => {
  world = await startRunningWorld();
});
afterEach(() => world[Symbol.asyncDispose]());

const local = { namespace: 'shop', name: 'cart' };
const remote = { namespace: 'shop-rome', name: 'cart' };
const backend = { service: { name: 'cart', port: { name: 'http' } } };

const rulesFor = (host: string) => [
  { host, http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } },
];

const create = () =>
  world.home.admin.create(Ingress, {
    metadata: local,
    spec: { ingressClassName: 'own', rules: rulesFor('cart.example.com') },
  });

/** The provider has listed the hosts of the consumer. */
const allowHosts = () =>
  world.away.admin.delete(ValidatingAdmissionPolicyBinding, { name: 'liqo-consumer-ingresses' });

const copyLike = (spec: object) =>
  world.until(async () =>
    expect((await world.away.admin.get(Ingress, remote))?.spec).toMatchObject(spec),
  );

const untilToldOf = (reason: string) =>
  world.until(() => {
    const about = world.events.filter(({ regarding }) => regarding.kind === 'Ingress');
    expect(about.map((event) => event.reason)).toContain(reason);
  });

test('an Ingress has a class of the provider, follows its rules, and goes with its original', async () => {
  await allowHosts();
  const key = { namespace: tenantNamespace, name: 'mynode' };
  const ingressClasses = [{ ingressClassName: 'nginx', default: true }];
  await world.home.admin.patch(VirtualNode, key, mergePatch({ spec: { ingressClasses } }));
  await create();
  await copyLike({ ingressClassName: 'nginx', rules: rulesFor('cart.example.com') });
  await untilToldOf('ClassNotOffered');
  const spec = { rules: rulesFor('shop.example.com') };
  await world.home.admin.patch(Ingress, local, mergePatch({ spec }));
  await copyLike(spec);
  await world.home.admin.delete(Ingress, local);
  await world.until(async () =>
    expect(await world.away.admin.get(Ingress, remote)).toBeUndefined(),
  );
});

test('an Ingress whose host the provider denies says so, and comes once it is allowed', async () => {
  await create();
  await untilToldOf('FailedReflection');
  expect(world.away.denied.denials.splice(0)).not.toEqual([]);
  await allowHosts();
  await copyLike({ rules: rulesFor('cart.example.com') });
  world.away.denied.denials.splice(0);
});
