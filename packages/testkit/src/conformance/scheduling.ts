import { mergePatch, Pod } from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { nodeNamed, startSite } from './scheduling-site.ts';
import type { GetSubject } from './subject.ts';

const waitLong = { timeoutMs: 30_000 };

/** Which node a pod gets, and what it is told when it gets none. */
export function scheduling(subject: GetSubject): void {
  describe('scheduling', () => {
    test('a pod gets the node it fits on, and an event says so', async () => {
      await using site = await startSite(subject);
      await site.addNode('small', { cpu: '1' });
      await site.addNode('large', { cpu: '4' });
      const pod = await site.addPod('web', { cpu: '2' });
      expect(await site.nodeOf(pod)).toBe(site.nodeName('large'));
      const [event] = await site.events(pod, 'Scheduled');
      expect(event).toMatchObject({
        type: 'Normal',
        action: 'Binding',
        note: `Successfully assigned ${pod.namespace}/web to ${site.nodeName('large')}`,
        reportingController: 'default-scheduler',
        regarding: { kind: 'Pod', apiVersion: 'v1', name: 'web', namespace: pod.namespace },
      });
      const { status } = (await site.client.get(Pod, pod)) ?? {};
      expect(status?.conditions).toMatchObject([{ type: 'PodScheduled', status: 'True' }]);
    });

    test('a pod too large for every node is told so, and gets a node when there is one', async () => {
      await using site = await startSite(subject);
      await site.addNode('small', { cpu: '1' });
      const pod = await site.addPod('web', { cpu: '2' });
      const message = await site.refusalOf(
        pod,
        /^0\/\d+ nodes are available: .*1 Insufficient cpu[.,]/,
      );
      expect(message).toContain('. no new claims to deallocate, preemption: 0/');
      expect(message).toMatch(/\d+ Preemption is not helpful for scheduling\.$/);
      await eventually(async () => {
        const told = { type: 'Warning', action: 'Scheduling', note: message };
        expect(await site.events(pod, 'FailedScheduling')).toContainEqual(
          expect.objectContaining(told),
        );
      }, waitLong);
      await site.addNode('large', { cpu: '4' });
      expect(await site.nodeOf(pod)).toBe(site.nodeName('large'));
    });

    test('a pod that waits for room gets it when another one leaves', async () => {
      await using site = await startSite(subject);
      await site.addNode('only', { cpu: '2' });
      const first = await site.addPod('first', { cpu: '2' });
      await site.nodeOf(first);
      const second = await site.addPod('second', { cpu: '1' });
      await site.refusalOf(second, /1 No preemption victims found for incoming pod/);
      await site.client.delete(Pod, first, { gracePeriodSeconds: 0 });
      expect(await site.nodeOf(second)).toBe(site.nodeName('only'));
    });

    test('the largest init container counts, and sidecars count beside the rest', async () => {
      await using site = await startSite(subject);
      await site.addNode('only', { cpu: '2' });
      const container = (name: string, cpu: string) => ({
        name,
        image: 'example.org/app',
        resources: { requests: { cpu } },
      });
      const initContainers = [
        { ...container('proxy', '1'), restartPolicy: 'Always' },
        container('migrate', '1500m'),
      ];
      const refused = await site.addPod('refused', { cpu: '500m' }, { initContainers });
      await site.refusalOf(refused, /1 Insufficient cpu/);
      const smaller = [initContainers[0], container('migrate', '1')].flatMap((one) => one ?? []);
      const pod = await site.addPod('web', { cpu: '500m' }, { initContainers: smaller });
      expect(await site.nodeOf(pod)).toBe(site.nodeName('only'));
    });

    test('a node takes as many pods as it says', async () => {
      await using site = await startSite(subject);
      await site.addNode('only', { pods: '1' });
      await site.nodeOf(await site.addPod('first'));
      await site.refusalOf(await site.addPod('second'), /1 Too many pods/);
    });

    test('a taint keeps away whoever does not tolerate it', async () => {
      await using site = await startSite(subject);
      const taint = { key: 'example.org/mine', value: 'yes', effect: 'NoSchedule' };
      await site.addNode('only', {}, { taints: [taint] });
      const refused = await site.addPod('refused');
      await site.refusalOf(refused, / node\(s\) had untolerated taint\(s\)/);
      const pod = await site.addPod('web', {}, { tolerations: [{ ...taint, operator: 'Equal' }] });
      expect(await site.nodeOf(pod)).toBe(site.nodeName('only'));
    });

    test('a cordoned node takes nobody until it is uncordoned', async () => {
      await using site = await startSite(subject);
      await site.addNode('only', {}, { unschedulable: true });
      const pod = await site.addPod('web');
      await site.refusalOf(pod, /node\(s\) were unschedulable/);
      await site.uncordon('only');
      expect(await site.nodeOf(pod)).toBe(site.nodeName('only'));
    });

    test('node affinity chooses by labels and by name', async () => {
      await using site = await startSite(subject);
      await site.addNode('a');
      await site.addNode('b');
      const named = await site.addPod('named', {}, nodeNamed(site.nodeName('b')));
      expect(await site.nodeOf(named)).toBe(site.nodeName('b'));
      const absent = await site.addPod('absent', {}, nodeNamed('no-such-node'));
      await site.refusalOf(
        absent,
        /^0\/(\d+) nodes are available: \1 node\(s\) didn't satisfy plugin\(s\) \[NodeAffinity\]\./,
      );
      const nodeSelector = { place: 'elsewhere' };
      const lost = await site.addPod('lost', {}, { nodeSelector });
      await site.refusalOf(lost, /\d+ node\(s\) didn't match Pod's node affinity\/selector/);
    });

    test('pods that want to be apart are, and the one too many waits', async () => {
      await using site = await startSite(subject);
      await site.addNode('a');
      await site.addNode('b');
      const affinity = { podAntiAffinity: requires('web', 'kubernetes.io/hostname') };
      const nodes = new Set<string>();
      for (const name of ['one', 'two']) {
        nodes.add(await site.nodeOf(await site.addPod(name, {}, { affinity }, { app: 'web' })));
      }
      expect(nodes.size).toBe(2);
      const third = await site.addPod('three', {}, { affinity }, { app: 'web' });
      await site.refusalOf(third, /2 node\(s\) didn't match pod anti-affinity rules/);
      const stranger = await site.addPod('stranger', {}, {}, { app: 'web' });
      await site.refusalOf(
        stranger,
        /2 node\(s\) didn't satisfy existing pods anti-affinity rules/,
      );
    });

    test('pods that want to be near each other are, the first one anywhere', async () => {
      await using site = await startSite(subject);
      await site.addNode('a');
      await site.addNode('b');
      const affinity = { podAffinity: requires('web', 'kubernetes.io/hostname') };
      const first = await site.nodeOf(await site.addPod('one', {}, { affinity }, { app: 'web' }));
      const second = await site.nodeOf(await site.addPod('two', {}, { affinity }, { app: 'web' }));
      expect(second).toBe(first);
      const lonely = { podAffinity: requires('nobody', 'kubernetes.io/hostname') };
      const refused = await site.addPod('three', {}, { affinity: lonely });
      await site.refusalOf(refused, /2 node\(s\) didn't match pod affinity rules/);
    });

    test('a spread constraint keeps places even', async () => {
      await using site = await startSite(subject);
      await site.addNode('a');
      await site.addNode('b', { pods: '1' });
      const constraint = {
        maxSkew: 1,
        topologyKey: 'kubernetes.io/hostname',
        whenUnsatisfiable: 'DoNotSchedule',
        labelSelector: { matchLabels: { app: 'web' } },
      };
      const spec = { topologySpreadConstraints: [constraint] };
      const nodes = new Set<string>();
      for (const name of ['one', 'two']) {
        nodes.add(await site.nodeOf(await site.addPod(name, {}, spec, { app: 'web' })));
      }
      expect(nodes.size).toBe(2);
      await site.nodeOf(await site.addPod('three', {}, spec, { app: 'web' }));
      const four = await site.addPod('four', {}, spec, { app: 'web' });
      const message = await site.refusalOf(four, /1 Too many pods/);
      expect(message).toContain("1 node(s) didn't match pod topology spread constraints");
    });

    test('a host port is taken once per node', async () => {
      await using site = await startSite(subject);
      await site.addNode('only');
      const ports = [{ containerPort: 80, hostPort: 8080 }];
      const containers = [{ name: 'main', image: 'example.org/app', ports }];
      await site.nodeOf(await site.addPod('one', {}, { containers }));
      const two = await site.addPod('two', {}, { containers });
      await site.refusalOf(two, /1 node\(s\) didn't have free ports for the requested pod ports/);
    });

    test('a gated pod is left alone until the gate is gone', async () => {
      await using site = await startSite(subject);
      await site.addNode('only');
      const spec = { schedulingGates: [{ name: 'example.org/wait' }] };
      const pod = await site.addPod('web', {}, spec);
      const gated = await site.client.get(Pod, pod);
      expect(gated?.status?.conditions).toMatchObject([
        { type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' },
      ]);
      await site.client.patch(Pod, pod, mergePatch({ spec: { schedulingGates: null } }));
      expect(await site.nodeOf(pod)).toBe(site.nodeName('only'));
      expect(await site.events(pod, 'FailedScheduling', { atOnce: true })).toEqual([]);
    });

    test('the emptier node is preferred', async () => {
      await using site = await startSite(subject);
      await site.addNode('busy', { cpu: '4' });
      await site.nodeOf(await site.addPod('first', { cpu: '2' }));
      await site.addNode('idle', { cpu: '4' });
      const pod = await site.addPod('second', { cpu: '1' });
      expect(await site.nodeOf(pod)).toBe(site.nodeName('idle'));
    });
  });
}

function requires(app: string, topologyKey: string) {
  const labelSelector = { matchLabels: { app } };
  return { requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector, topologyKey }] };
}
