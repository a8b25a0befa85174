import {
  type ApiCall,
  type Fault,
  isList,
  isWrite,
  lostAnswer,
  refusal,
} from '@liqo/testkit/faults';
import { beforeAll, expect, test } from 'vitest';
import { lifeMs, minute, RenewalWorld, type Side } from '../testing/renewal-world.ts';

/** Each disturbance once; with RENEWALS=200 as many as that. */
const renewals = Number(process.env.RENEWALS ?? 47);

// Loaded by the controllers when they are needed, which takes real time.
beforeAll(() => Promise.all([import('./read-identity.ts'), import('@liqo/kube/x509')]));

interface Step {
  readonly name: string;
  /** The cluster whose API server is called. */
  readonly at: Side;
  readonly matches: (call: ApiCall) => boolean;
}

function write(name: string, at: Side, verb: string, resource: string, object = /./): Step {
  return {
    name,
    at,
    matches: (call) =>
      isWrite(call) &&
      call.verb === verb &&
      call.resource === resource &&
      (call.name === undefined || object.test(call.name)),
  };
}

const requests = 'certificatesigningrequests.certificates.k8s.io';
const group = 'authentication.liqo.io';

/** Each write of a renewal, from the request at the provider to the kubeconfig at the consumer. */
const steps: readonly Step[] = [
  write('ask for a certificate', 'milan', 'create', requests),
  write('approve the request', 'milan', 'update', `${requests}/approval`),
  write('keep the certificate', 'milan', 'patch', 'secrets', /^liqo-remote-certificate/),
  write('remove the request', 'milan', 'delete', requests),
  write('tell by the Tenant', 'milan', 'patch', `tenants.${group}/status`),
  write('tell by the copy of the Renew', 'milan', 'patch', `renews.${group}/status`),
  write('tell by the copy of the slice', 'milan', 'patch', `resourceslices.${group}/status`),
  write('bring the Renew back', 'rome', 'patch', `renews.${group}/status`),
  write('bring the slice back', 'rome', 'patch', `resourceslices.${group}/status`),
  write('take over the certificate', 'rome', 'patch', `identities.${group}`),
  write('write the kubeconfig', 'rome', 'patch', 'secrets', /^kubeconfig-/),
];

const faults: readonly (() => Fault)[] = [
  () => refusal(500),
  () => refusal(403),
  () => lostAnswer('close'),
  () => refusal(409),
];

const disturbances = [
  ...steps.flatMap((step) => faults.map((fault) => ({ step, fault }))),
  { restart: 'rome' },
  { restart: 'milan' },
  { isSignerSilent: true },
] as const;

test(`${renewals} renewals with a fault at each step cause no outage, and no expired certificate is used`, async () => {
  await using world = await RenewalWorld.start();
  const outages: string[] = [];
  const untouched = new Set(steps.map(({ name }) => name));
  const watchForOutages = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += minute) {
      await world.pass(minute);
      outages.push(...(await world.outages()));
    }
  };
  for (let round = 0; round < renewals; round += 1) {
    const before = await world.expiries();
    const disturbance = disturbances[round % disturbances.length] ?? { restart: 'rome' };
    // Two attempts of each write fail.
    if ('step' in disturbance) {
      const { step, fault } = disturbance;
      let left = 2;
      world[step.at].faults.plan = (call) => {
        if (left === 0 || !step.matches(call)) return undefined;
        left -= 1;
        untouched.delete(step.name);
        return fault();
      };
    }
    world.isSigning = !('isSignerSilent' in disturbance);
    const side = 'restart' in disturbance ? disturbance.restart : undefined;
    // Up to the moment when two thirds of the life are over.
    const dueInMs = Math.min(...before) - lifeMs / 3 - world.clock.now();
    await watchForOutages(Math.max(minute, dueInMs));
    if (side) await world.stopSide(side);
    await watchForOutages(3 * minute);
    if (side) world.startSide(side);
    world.isSigning = true;
    await watchForOutages(lifeMs / 3 - 6 * minute);
    for (const cluster of [world.rome, world.milan]) cluster.faults.plan = () => undefined;
    const after = await world.expiries();
    const isRenewed = after.map((expiry, at) => expiry > (before[at] ?? 0));
    expect({ round, disturbance, isRenewed }).toMatchObject({ isRenewed: [true, true] });
  }
  expect(outages).toEqual([]);
  expect(world.use.invalid).toEqual([]);
  if (renewals >= disturbances.length) expect([...untouched]).toEqual([]);
  // A renewal lists nothing anew: only a control plane that starts does.
  const restarts = Math.ceil(renewals / disturbances.length);
  const lists = world.milan.faults.callsOf('peer').filter(isList);
  expect(lists.length).toBeLessThanOrEqual((1 + restarts) * 4);
}, 900_000);
