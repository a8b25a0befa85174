import {
  ApiError,
  type Client,
  isInvalid,
  type Json,
  jsonPatch,
  mergePatch,
  type ObjectKey,
  Pod,
  type Stored,
  strategicMergePatch,
} from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import { rejection } from '../rejection.ts';
import { fresh } from './rights.ts';
import { freshNamespace, type GetSubject } from './subject.ts';

type PodSpec = NonNullable<Pod['spec']>;
type Resources = NonNullable<PodSpec['containers'][number]['resources']>;

const small = { requests: { cpu: '100m', memory: '64Mi' }, limits: { cpu: '1' } };
const resize = { subresource: 'resize' } as const;
const ephemeral = { subresource: 'ephemeralcontainers' } as const;
const status = { subresource: 'status' } as const;

/** What of a pod can be changed while it runs, and through what: its size, who looks at it; what counts that. */
export function podParts(subject: GetSubject): void {
  const make = async (resources: Resources = small, spec: Partial<PodSpec> = {}) => {
    const key = { namespace: await freshNamespace(subject()), name: 'one' };
    const main = { name: 'main', image: 'example.org/app', resources };
    const helper = { ...main, name: 'helper' };
    await subject().client.create(Pod, {
      metadata: key,
      spec: { containers: [main, helper], schedulerName: 'nobody', ...spec },
    });
    return key;
  };

  describe('pods/resize', () => {
    const ask = (key: ObjectKey, resources: Json) => {
      const containers = [{ name: 'main', resources }];
      return subject().client.patch(
        Pod,
        key,
        strategicMergePatch({ spec: { containers } }),
        resize,
      );
    };
    const refusal = async (promise: Promise<unknown>) => messageOf(await rejection(promise));

    test('changes CPU and memory, counts the generation up, and nothing else', async () => {
      const key = await make();
      const resized = await ask(key, { requests: { cpu: '200m' } });
      expect(resized.metadata.generation).toBe(2);
      expect(resourcesOf(resized)).toEqual({ ...small, requests: { cpu: '200m', memory: '64Mi' } });
      const labels = { app: 'x' };
      const patch = mergePatch({ metadata: { labels }, spec: { activeDeadlineSeconds: 5 } });
      const same = await subject().client.patch(Pod, key, patch, resize);
      expect(same.metadata).toMatchObject({ generation: 2 });
      expect(same.metadata.labels).toBeUndefined();
      expect(same.spec?.activeDeadlineSeconds).toBeUndefined();
    });

    test('is written by those who wrote it, as managers of the part', async () => {
      const key = await make();
      const resized = await ask(key, { requests: { cpu: '200m' } });
      const entry = resized.metadata.managedFields?.find(({ subresource }) => subresource);
      expect(entry).toMatchObject({
        subresource: 'resize',
        fieldsV1: {
          'f:spec': {
            'f:containers': {
              'k:{"name":"main"}': { 'f:resources': { 'f:requests': { 'f:cpu': {} } } },
            },
          },
        },
      });
    });

    test('takes nothing else of a container', async () => {
      const key = await make();
      const resources = { ...small, limits: { cpu: '2' } };
      const containers = [{ name: 'main', image: 'example.org/other', resources }];
      const patch = strategicMergePatch({ spec: { containers } });
      const resized = await subject().client.patch(Pod, key, patch, resize);
      expect(resourcesOf(resized)?.limits).toEqual({ cpu: '2' });
      expect(resized.spec?.containers[0]?.image).toBe('example.org/app');
    });

    test('refuses what would make it another class of pod', async () => {
      const key = await make({});
      expect(await refusal(ask(key, { requests: { cpu: '1' } }))).toBe(
        'Pod "one" is invalid: spec: Invalid value: "BestEffort": Pod QOS Class may not change as a result of resizing',
      );
    });

    test('refuses to take a request or limit away', async () => {
      const key = await make();
      expect(await refusal(ask(key, { requests: { memory: null }, limits: { cpu: null } }))).toBe(
        'Pod "one" is invalid: [spec.containers[0].resources.requests: Forbidden: resource requests cannot be removed, spec.containers[0].resources.limits: Forbidden: resource limits cannot be removed]',
      );
    });

    test('refuses other resources, other policies and other containers', async () => {
      const key = await make();
      const mutable =
        'Pod "one" is invalid: spec: Forbidden: only cpu and memory resources are mutable';
      expect(await refusal(ask(key, { limits: { 'ephemeral-storage': '1Gi' } }))).toContain(
        'only cpu and memory resources are mutable',
      );
      const resizePolicy = [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }];
      const containers = [{ name: 'main', resizePolicy }];
      const policy = strategicMergePatch({ spec: { containers } });
      expect(await refusal(subject().client.patch(Pod, key, policy, resize))).toBe(mutable);
      const removed = jsonPatch([{ op: 'remove', path: '/spec/containers/1' }]);
      expect(await refusal(subject().client.patch(Pod, key, removed, resize))).toBe(
        'Pod "one" is invalid: spec.containers: Forbidden: containers may not be added or removed on resize',
      );
      const renamed = jsonPatch([{ op: 'replace', path: '/spec/containers/1/name', value: 'x' }]);
      expect(await refusal(subject().client.patch(Pod, key, renamed, resize))).toBe(
        'Pod "one" is invalid: spec.containers[1].name: Forbidden: containers may not be renamed or reordered on resize',
      );
    });

    test('refuses a request above its limit', async () => {
      const key = await make();
      expect(await refusal(ask(key, { requests: { cpu: '3' } }))).toBe(
        'Pod "one" is invalid: spec.containers[0].resources.requests: Invalid value: "3": must be less than or equal to cpu limit of 1',
      );
    });

    test('refuses init containers, but not sidecars', async () => {
      const init = { name: 'init', image: 'example.org/app', resources: small };
      const sidecar = { ...init, name: 'sidecar', restartPolicy: 'Always' };
      const key = await make(small, { initContainers: [init, sidecar] });
      const larger = (name: string) => {
        const initContainers = [{ name, resources: { requests: { cpu: '200m' } } }];
        const patch = strategicMergePatch({ spec: { initContainers } });
        return subject().client.patch(Pod, key, patch, resize);
      };
      expect(await refusal(larger('init'))).toBe(
        'Pod "one" is invalid: spec: Forbidden: resources for non-sidecar init containers are immutable',
      );
      expect((await larger('sidecar')).metadata.generation).toBe(2);
    });

    test('refuses a pod on a node that cannot', async () => {
      const key = await make();
      const state = { running: {} };
      const main = { name: 'main', ready: true, restartCount: 0, image: '', imageID: '', state };
      const running = mergePatch({ status: { containerStatuses: [main] } });
      await subject().client.patch(Pod, key, running, status);
      expect(await refusal(ask(key, { requests: { cpu: '200m' } }))).toBe(
        'Pod "one" is invalid: spec: Forbidden: Pod running on node without support for resize',
      );
    });

    test('is the only way to another size', async () => {
      const key = await make();
      const containers = [{ name: 'main', resources: { requests: { cpu: '200m' } } }];
      const patch = strategicMergePatch({ spec: { containers } });
      const error = await rejection(subject().client.patch(Pod, key, patch));
      expect(isInvalid(error)).toBe(true);
      expect(messageOf(error)).toContain(
        'spec: Forbidden: pod updates may not change fields other',
      );
    });
  });

  describe('pods/ephemeralcontainers', () => {
    const look = { name: 'look', image: 'example.org/debug', targetContainerName: 'main' };
    const add = (key: ObjectKey, ...containers: readonly object[]) => {
      const patch = strategicMergePatch({
        spec: { ephemeralContainers: [...containers] } as never,
      });
      return subject().client.patch(Pod, key, patch, ephemeral);
    };

    test('adds containers with their defaults, and counts the generation up', async () => {
      const key = await make();
      const one = await add(key, look);
      expect(one.metadata.generation).toBe(2);
      expect(one.spec?.ephemeralContainers).toEqual([
        {
          ...look,
          imagePullPolicy: 'Always',
          resources: {},
          terminationMessagePath: '/dev/termination-log',
          terminationMessagePolicy: 'File',
        },
      ]);
      const two = await add(key, { ...look, name: 'again' });
      const names = two.spec?.ephemeralContainers?.map(({ name }) => name) ?? [];
      expect(names.toSorted()).toEqual(['again', 'look']);
    });

    test('leaves everything else as it was', async () => {
      const key = await make();
      const patch = mergePatch({
        metadata: { labels: { app: 'x' } },
        spec: { ephemeralContainers: [look], activeDeadlineSeconds: 5 },
      });
      const changed = await subject().client.patch(Pod, key, patch, ephemeral);
      expect(changed.metadata.labels).toBeUndefined();
      expect(changed.spec?.activeDeadlineSeconds).toBeUndefined();
      expect(changed.spec?.ephemeralContainers).toHaveLength(1);
    });

    test('neither removes nor changes one', async () => {
      const key = await make();
      await add(key, look);
      const remove = mergePatch({ spec: { ephemeralContainers: [] } });
      const gone = await rejection(subject().client.patch(Pod, key, remove, ephemeral));
      expect(messageOf(gone)).toBe(
        'Pod "one" is invalid: spec.ephemeralContainers: Forbidden: existing ephemeral containers "look" may not be removed\n',
      );
      const changed = await rejection(add(key, { name: 'look', image: 'example.org/other' }));
      expect(messageOf(changed)).toContain(
        'Pod "one" is invalid: spec.ephemeralContainers: Forbidden: existing ephemeral containers "look" may not be changed\n',
      );
    });

    test('refuses what such containers cannot have', async () => {
      const key = await make();
      const ports = [{ containerPort: 80 }];
      const error = await rejection(add(key, { ...look, targetContainerName: 'nobody', ports }));
      expect(error instanceof ApiError && error.details?.causes?.map(({ field }) => field)).toEqual(
        ['spec.ephemeralContainers[0].targetContainerName', 'spec.ephemeralContainers[0].ports'],
      );
    });

    test('is the only way in', async () => {
      const { client } = subject();
      const namespace = await freshNamespace(subject());
      const containers = [{ name: 'main', image: 'example.org/app' }];
      const spec = { containers, ephemeralContainers: [look], schedulerName: 'nobody' };
      const born = await rejection(
        client.create(Pod, { metadata: { namespace, name: 'one' }, spec }),
      );
      expect(messageOf(born)).toBe(
        'Pod "one" is invalid: spec.ephemeralContainers: Forbidden: cannot be set on create',
      );
      const key = await make();
      const patch = mergePatch({ spec: { ephemeralContainers: [look] } });
      expect(isInvalid(await rejection(client.patch(Pod, key, patch)))).toBe(true);
    });
  });

  describe('the generation of a pod', () => {
    test('counts changes of its spec and its deletion, not where it is bound to', async () => {
      const { client } = subject();
      const key = await make();
      const generation = async () => (await need(client, key)).metadata.generation;
      expect(await generation()).toBe(1);
      await client.patch(Pod, key, mergePatch({ metadata: { labels: { a: 'b' } } }));
      await client.patch(Pod, key, mergePatch({ status: { message: 'x' } }), status);
      expect(await generation()).toBe(1);
      await client.patch(Pod, key, mergePatch({ spec: { activeDeadlineSeconds: 9 } }));
      expect(await generation()).toBe(2);
      await client.bind(key, fresh('nowhere'));
      const bound = await generation();
      await client.delete(Pod, key);
      expect([bound, await generation()]).toEqual([2, 3]);
      await client.delete(Pod, key, { gracePeriodSeconds: 0 });
    });

    test('that a status was written for is not forgotten by a writer who knows of none', async () => {
      const { client } = subject();
      const key = await make();
      const ready = { type: 'Ready', status: 'True' };
      const conditions = [{ ...ready, observedGeneration: 1 }];
      const told = mergePatch({ status: { observedGeneration: 1, conditions } });
      await client.patch(Pod, key, told, status);
      const patch = { observedGeneration: null, conditions: [ready] };
      await client.patch(Pod, key, mergePatch({ status: patch }), status);
      const found = await need(client, key);
      expect(found.status).toMatchObject({ observedGeneration: 1, conditions });
    });
  });
}

async function need(client: Client, key: ObjectKey): Promise<Stored<Pod>> {
  const found = await client.get(Pod, key);
  if (found) return found;
  throw new Error(`Expected pod "${key.name}" to be there`);
}

function resourcesOf({ spec }: Stored<Pod>): Resources | undefined {
  return spec?.containers[0]?.resources;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
