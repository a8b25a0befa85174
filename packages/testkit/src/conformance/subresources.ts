import {
  apiVersionOf,
  isNotFound,
  isTooManyRequests,
  Pod,
  PodDisruptionBudget,
  TokenReview,
} from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import { startEchoKubelet } from '../echo-kubelet.ts';
import { eventually } from '../eventually.ts';
import { rejection } from '../rejection.ts';
import { makePod, makePodOn, runPod } from './pod-on-node.ts';
import { fresh } from './rights.ts';
import { freshNamespace, type GetSubject } from './subject.ts';

/** binding, eviction, token, log, exec, attach and portforward; discovery. */
export function subresources(subject: GetSubject): void {
  describe('subresources', () => {
    test('binding gives a pod its node, once', async () => {
      const { client } = subject();
      const pod = await makePod(subject, 'one');
      const nodeName = fresh('nowhere');
      await client.bind(pod, nodeName);
      expect((await client.get(Pod, pod))?.spec?.nodeName).toBe(nodeName);
      expect(await rejection(client.bind(pod, 'elsewhere'))).toMatchObject({ code: 409 });
    });

    test('eviction respects a disruption budget and says so', async () => {
      const { client } = subject();
      const pod = await makePod(subject, 'one');
      const spec = { minAvailable: 1, selector: { matchLabels: { app: 'one' } } };
      const budget = { namespace: pod.namespace, name: 'budget' };
      await client.create(PodDisruptionBudget, { metadata: budget, spec });
      await runPod(client, pod);
      await eventually(async () => {
        const { status } = (await client.get(PodDisruptionBudget, budget)) ?? {};
        expect(status).toMatchObject({ currentHealthy: 1, disruptionsAllowed: 0 });
      });
      const error = await rejection(client.evict(pod));
      expect(isTooManyRequests(error)).toBe(true);
      expect(error).toMatchObject({ details: { causes: [{ reason: 'DisruptionBudget' }] } });
      await client.delete(PodDisruptionBudget, budget);
      await eventually(() => client.evict(pod, { gracePeriodSeconds: 0 }));
      await eventually(async () => expect(await client.get(Pod, pod)).toBeUndefined());
    });

    test('eviction of an absent pod is NotFound', async () => {
      const namespace = await freshNamespace(subject());
      const error = await rejection(subject().client.evict({ namespace, name: 'absent' }));
      expect(isNotFound(error)).toBe(true);
    });

    test('token issues a token that the server recognises', async () => {
      const { client } = subject();
      const namespace = await freshNamespace(subject());
      const spec = { audiences: [], expirationSeconds: 600 };
      const issued = await client.createToken({ namespace, name: 'default' }, spec);
      const token = issued.status?.token ?? '';
      const review = await client.create(TokenReview, { spec: { token } });
      expect(review.status).toMatchObject({
        authenticated: true,
        user: { username: `system:serviceaccount:${namespace}:default` },
      });
    });

    test('log streams what the kubelet sends, while it sends', async () => {
      const { client } = subject();
      await using kubelet = await startEchoKubelet();
      const pod = await makePodOn(subject, kubelet.port);
      const log = await client.logs(pod, { follow: true, container: 'main', tailLines: 5 });
      const reader = log[Symbol.asyncIterator]();
      expect(text((await reader.next()).value)).toContain(
        `/containerLogs/${pod.namespace}/${pod.name}/main?follow=true&tailLines=5`,
      );
      kubelet.say('more\n');
      expect(text((await reader.next()).value)).toBe('more\n');
      await reader.return?.();
    });

    test('log of an absent container is refused', async () => {
      const pod = await makePod(subject, 'one');
      const error = await rejection(subject().client.logs(pod, { container: 'absent' }));
      expect(error).toMatchObject({ code: 400 });
    });

    test.each(['exec', 'attach', 'portforward'] as const)(
      '%s hands the switched connection over, byte for byte',
      async (name) => {
        const { client } = subject();
        await using kubelet = await startEchoKubelet();
        const pod = await makePodOn(subject, kubelet.port);
        const query = {
          command: name === 'exec' ? ['echo', 'a b'] : undefined,
          stdin: true,
          stdout: true,
        };
        const headers = { 'x-stream-protocol-version': 'v4.channel.k8s.io' };
        const options = {
          protocol: 'SPDY/3.1',
          query: name === 'portforward' ? {} : query,
          headers,
        };
        const { stream } = await client.connect(pod, name, options);
        const sent = new Uint8Array(100_000).map((_, i) => i % 251);
        stream.write(sent);
        const received: Uint8Array[] = [];
        let size = 0;
        for await (const chunk of stream) {
          received.push(chunk);
          size += chunk.length;
          if (size >= sent.length) break;
        }
        expect(Buffer.concat(received).equals(sent)).toBe(true);
        stream.destroy();
      },
    );

    test('exec in an absent pod is refused before anything is switched', async () => {
      const namespace = await freshNamespace(subject());
      const options = { protocol: 'SPDY/3.1', query: { command: ['true'] } };
      const pod = { namespace, name: 'absent' };
      expect(isNotFound(await rejection(subject().client.connect(pod, 'exec', options)))).toBe(
        true,
      );
    });

    test('discover() lists kinds with their verbs and subresources', async () => {
      const discovery = await subject().client.discover();
      const find = (apiVersion: string, plural: string) =>
        discovery.find((one) => apiVersionOf(one) === apiVersion && one.plural === plural);
      expect(find('v1', 'pods')).toMatchObject({
        kind: 'Pod',
        namespaced: true,
        shortNames: ['po'],
        verbs: expect.arrayContaining(['create', 'deletecollection', 'list', 'watch']),
        subresources: expect.arrayContaining(['status', 'exec', 'log', 'eviction', 'binding']),
      });
      expect(find('apps/v1', 'deployments')).toMatchObject({
        kind: 'Deployment',
        singular: 'deployment',
        subresources: expect.arrayContaining(['scale', 'status']),
      });
      expect(find('v1', 'nodes')).toMatchObject({ namespaced: false });
    });
  });
}

function text(chunk: Uint8Array | undefined): string {
  return new TextDecoder().decode(chunk);
}
