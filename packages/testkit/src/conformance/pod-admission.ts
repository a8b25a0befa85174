import { mergePatch, Pod, PriorityClass, RuntimeClass } from '@liqo/kube';
import { expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { rejection } from '../rejection.ts';
import { freshNamespace, type GetSubject } from './subject.ts';

const containers = [{ name: 'main', image: 'example.org/app' }];
const notReady = {
  key: 'node.kubernetes.io/not-ready',
  operator: 'Exists',
  effect: 'NoExecute',
  tolerationSeconds: 300,
};
const unreachable = { ...notReady, key: 'node.kubernetes.io/unreachable' };

/** Tolerations, priorities and runtime classes of pods. */
export function podAdmission(subject: GetSubject): void {
  const createPod = async (spec: object = {}) => {
    const { client } = subject();
    const namespace = await freshNamespace(subject());
    const metadata = { namespace, name: 'one' };
    return client.create(Pod, { metadata, spec: { containers, ...spec } });
  };

  const own = { ...notReady, tolerationSeconds: 5 };
  const everything = { operator: 'Exists' };
  const otherEffect = { ...unreachable, effect: 'NoSchedule', tolerationSeconds: undefined };
  const tolerations: readonly (readonly [string, readonly object[], readonly object[]])[] = [
    ['stays for five minutes on a lost node', [], [notReady, unreachable]],
    ['can say otherwise', [own], [own, unreachable]],
    ['that tolerates everything needs no more', [everything], [everything]],
    ['that tolerates another effect does', [otherEffect], [otherEffect, notReady, unreachable]],
  ];
  test.each(tolerations)('a pod %s', async (_, given, expected) => {
    const { spec } = await createPod({ tolerations: given });
    expect(spec?.tolerations).toEqual(expected);
  });

  test('a pod without a priority class has priority zero', async () => {
    const { spec } = await createPod();
    expect(spec).toMatchObject({ priority: 0, preemptionPolicy: 'PreemptLowerPriority' });
    expect(spec?.priorityClassName).toBeUndefined();
  });

  const makePriorityClass = async (value: number, preemptionPolicy?: string) => {
    const { client } = subject();
    const { metadata } = await client.create(PriorityClass, {
      metadata: { generateName: 'test-' },
      value,
      ...(preemptionPolicy && { preemptionPolicy }),
    });
    const { name } = metadata;
    // The server learns of new classes in its own time.
    await eventually(() => createPod({ priorityClassName: name }));
    const remove = () => client.delete(PriorityClass, { name });
    return { name, [Symbol.asyncDispose]: async () => void (await remove()) };
  };

  test('a pod has the priority of its class', async () => {
    await using priorityClass = await makePriorityClass(1234, 'Never');
    const { spec } = await createPod({ priorityClassName: priorityClass.name });
    expect(spec).toMatchObject({ priority: 1234, preemptionPolicy: 'Never' });
  });

  test('a pod keeps its priority when it is updated', async () => {
    await using priorityClass = await makePriorityClass(77);
    const pod = await createPod({ priorityClassName: priorityClass.name });
    const { priority: _, preemptionPolicy: __, ...spec } = pod.spec ?? { containers };
    const labels = { changed: 'yes' };
    const { namespace, name } = pod.metadata;
    const metadata = { namespace: namespace ?? '', name, labels };
    const updated = await subject().client.update(Pod, { metadata, spec });
    expect(updated.spec?.priority).toBe(77);
  });

  test('a priority that its class does not have is refused', async () => {
    await using priorityClass = await makePriorityClass(10);
    const creation = createPod({ priorityClassName: priorityClass.name, priority: 11 });
    expect(await rejection(creation)).toMatchObject({
      code: 403,
      message:
        'pods "one" is forbidden: the integer value of priority (11) must not be provided in pod spec; priority admission controller computed 10 from the given PriorityClass name',
    });
  });

  test('a priority class that is not there is refused', async () => {
    expect(await rejection(createPod({ priorityClassName: 'absent' }))).toMatchObject({
      code: 403,
      message: 'pods "one" is forbidden: no PriorityClass with name absent was found',
    });
  });

  test('critical pods have a class from the beginning', async () => {
    const { spec } = await createPod({ priorityClassName: 'system-node-critical' });
    expect(spec?.priority).toBe(2_000_001_000);
  });

  const toleration = {
    key: 'example.org/virtual',
    operator: 'Equal',
    value: 'yes',
    effect: 'NoExecute',
  };
  const makeRuntimeClass = async (content: object) => {
    const { client } = subject();
    const metadata = { generateName: 'test-' };
    const created = await client.create(RuntimeClass, { metadata, handler: 'special', ...content });
    const { name } = created.metadata;
    const remove = () => client.delete(RuntimeClass, { name });
    return { name, [Symbol.asyncDispose]: async () => void (await remove()) };
  };

  test('a pod goes where its runtime class runs', async () => {
    const scheduling = { nodeSelector: { type: 'virtual' }, tolerations: [toleration] };
    await using runtimeClass = await makeRuntimeClass({ scheduling });
    const nodeSelector = { zone: 'a' };
    const { spec } = await createPod({ runtimeClassName: runtimeClass.name, nodeSelector });
    expect(spec?.nodeSelector).toEqual({ zone: 'a', type: 'virtual' });
    expect(spec?.tolerations).toEqual([notReady, unreachable, toleration]);
  });

  test('tolerations that a runtime class makes superfluous are left out', async () => {
    const wider = { key: toleration.key, operator: 'Exists' };
    await using runtimeClass = await makeRuntimeClass({ scheduling: { tolerations: [wider] } });
    const tolerations = [toleration];
    const { spec } = await createPod({ runtimeClassName: runtimeClass.name, tolerations });
    expect(spec?.tolerations).toEqual([notReady, unreachable, wider]);
  });

  test('a node selector against its runtime class is refused', async () => {
    const scheduling = { nodeSelector: { type: 'virtual' } };
    await using runtimeClass = await makeRuntimeClass({ scheduling });
    const nodeSelector = { type: 'real' };
    const creation = createPod({ runtimeClassName: runtimeClass.name, nodeSelector });
    expect(await rejection(creation)).toMatchObject({
      code: 403,
      message:
        'pods "one" is forbidden: conflict: runtimeClass.scheduling.nodeSelector[type] = virtual; pod.spec.nodeSelector[type] = real',
    });
  });

  test('a pod carries the overhead of its runtime class', async () => {
    const overhead = { podFixed: { cpu: '250m', memory: '64Mi' } };
    await using runtimeClass = await makeRuntimeClass({ overhead });
    const { spec } = await createPod({ runtimeClassName: runtimeClass.name });
    expect(spec?.overhead).toEqual({ cpu: '250m', memory: '64Mi' });
  });

  test('an overhead of its own is refused', async () => {
    await using runtimeClass = await makeRuntimeClass({ overhead: { podFixed: { cpu: '250m' } } });
    const overhead = { cpu: '1' };
    const other = createPod({ runtimeClassName: runtimeClass.name, overhead });
    expect(await rejection(other)).toMatchObject({
      message: `pods "one" is forbidden: pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead`,
    });
    expect(await rejection(createPod({ overhead }))).toMatchObject({
      message:
        'pods "one" is forbidden: pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead',
    });
  });

  test('a runtime class that is not there is refused', async () => {
    expect(await rejection(createPod({ runtimeClassName: 'absent' }))).toMatchObject({
      code: 403,
      message: 'pods "one" is forbidden: pod rejected: RuntimeClass "absent" not found',
    });
  });

  test('an update of something else leaves the spec as it is', async () => {
    const pod = await createPod();
    const patch = mergePatch({ metadata: { labels: { a: 'b' } } });
    const patched = await subject().client.patch(Pod, pod.metadata, patch);
    expect(patched.spec).toEqual(pod.spec);
  });
}
