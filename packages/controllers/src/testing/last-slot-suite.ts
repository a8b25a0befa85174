import { Lease, Pod, type Stored } from '@liqo/kube';
import {
  fenceClient,
  SharedInformers,
  type Stoppable,
  silentLogger,
  startInformer,
  startLeaderElection,
} from '@liqo/runtime';
import { eventually } from '@liqo/testkit';
import { failAfterEffect, noFaults, ofCaller, refusal } from '@liqo/testkit/faults';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startShadowPodController } from '../shadow-pods/shadow-pod-controller.ts';
import { controllersUser, liqoNamespace } from './installation.ts';
import type { QuotaWorld } from './quota-world.ts';

const patient = { timeoutMs: 90_000 };
const rivals = Array.from({ length: 64 }, (_, index) => `rival-${index}`);
const slots = 3;

export interface LastSlotOptions {
  readonly rounds: number;
  /** A request that has left the process is not called back: it has to be over between the two. */
  readonly lease: { readonly leaseDurationMs: number; readonly renewDeadlineMs: number };
}

/** A provider of whatever Kubernetes: what is granted is never exceeded, and nothing stays in use. */
export function lastSlotSuite(
  start: () => Promise<QuotaWorld>,
  { rounds, lease }: LastSlotOptions,
): void {
  describe('the last slot of a slice', () => {
    let world: QuotaWorld;
    let candidates = 0;
    const running = new Map<string, Stoppable>();

    beforeAll(async () => {
      world = await start();
      await world.createQuota('mypool', { cpu: '8', pods: String(slots) });
    });

    afterEach(async () => {
      world.milan.calls.plan = noFaults;
      await Promise.all([...running.values()].map((one) => one[Symbol.asyncDispose]()));
      running.clear();
    });

    afterAll(() => world?.[Symbol.asyncDispose]());

    /** A controller-manager of its own: elected, with its own caches, and fenced. */
    function startCandidate(): string {
      const { context } = world.milan;
      const { clock, random, log } = context;
      const identity = `candidate-${candidates++}`;
      const election = startLeaderElection({
        client: context.client,
        lease: { namespace: liqoNamespace, name: 'liqo-controller-manager' },
        identity,
        ...lease,
        retryPeriodMs: 200,
        clock,
        random,
        log: silentLogger,
        async onStartedLeading(signal, mayWrite) {
          const client = fenceClient(context.client, mayWrite);
          const caches = new SharedInformers({ client, clock, random, log });
          const controller = startShadowPodController(
            { ...context, client, caches },
            { enforceQuotas: true },
          );
          await new Promise<void>((resolve) => {
            signal.addEventListener('abort', () => resolve(), { once: true });
          });
          await controller.stop?.({ drainMs: 0 });
        },
      });
      running.set(identity, election);
      return identity;
    }

    async function leader(except?: string): Promise<string> {
      const key = { namespace: liqoNamespace, name: 'liqo-controller-manager' };
      return eventually(async () => {
        const lease = await world.milan.client.get(Lease, key);
        const { holderIdentity = '' } = lease?.spec ?? {};
        if (!running.has(holderIdentity) || holderIdentity === except)
          throw new Error('none leads');
        return holderIdentity;
      }, patient);
    }

    /** Follows every state that the API server had, and notes the most pods that were alive in one of them. */
    function watchPods() {
      const alive = new Set<string>();
      let most = 0;
      const { clock, random } = world.milan.context;
      const { client } = world.milan;
      const informer = startInformer({ client, kind: Pod, clock, random, log: silentLogger });
      const look = (pod: Stored<Pod>) => {
        if (pod.status?.phase === 'Succeeded') alive.delete(pod.metadata.uid);
        else alive.add(pod.metadata.uid);
        most = Math.max(most, alive.size);
      };
      const subscription = informer.subscribe({
        onAdd: look,
        onUpdate: (_, after) => look(after),
        onDelete: (pod) => void alive.delete(pod.metadata.uid),
      });
      return {
        most: () => most,
        async [Symbol.asyncDispose]() {
          subscription[Symbol.dispose]();
          await informer[Symbol.asyncDispose]();
        },
      };
    }

    /** Some answers about created pods are lost, and the lease of a leader cannot be renewed any more. */
    function disturb(deposed: string): void {
      let creations = 0;
      world.milan.calls.plan = ofCaller(controllersUser, (call) => {
        const { verb, resource, body } = call;
        const isRenewal = resource === 'leases.coordination.k8s.io' && verb === 'update';
        if (isRenewal && String(body).includes(deposed)) return refusal(500);
        if (verb !== 'create' || resource !== 'pods') return undefined;
        creations += 1;
        return creations % 3 === 0 ? failAfterEffect(500) : undefined;
      });
    }

    async function fullWith(count: number): Promise<void> {
      await eventually(async () => {
        expect(await world.livePods()).toHaveLength(count);
        const all = await Promise.all(rivals.map((name) => world.shadowPod(name)));
        const waiting = all.filter((one) => one?.status?.reason === 'QuotaExceeded');
        expect(waiting).toHaveLength(rivals.length + 2 - count);
      }, patient);
    }

    test.each(Array.from({ length: rounds }, (_, round) => round))(
      'is taken once by 64 pods that ask at the same time while the leader changes, round %i',
      async () => {
        await using seen = watchPods();
        const first = startCandidate();
        expect(await leader()).toBe(first);
        startCandidate();
        for (const name of ['early-0', 'early-1']) await world.create(name, { cpu: '1' });
        await world.made('early-1');
        disturb(first);
        await Promise.all(rivals.map((name) => world.create(name, { cpu: '1' })));
        await leader(first);
        world.milan.calls.plan = noFaults;
        await fullWith(slots);

        await world.made('early-0');
        await world.setPhase('early-0', 'Succeeded');
        await eventually(async () => expect(await world.livePods()).toHaveLength(slots), patient);

        for (const name of ['early-0', 'early-1', ...rivals]) await world.deleteShadowPod(name);
        await eventually(async () => expect(await world.livePods()).toEqual([]), patient);
        expect(seen.most()).toBe(slots);
      },
    );
  });
}
