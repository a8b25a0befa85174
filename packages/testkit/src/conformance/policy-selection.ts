import { ConfigMap, defineKind, type KubeObject, mergePatch, Namespace } from '@liqo/kube';
import { expect, test } from 'vitest';
import { rejection } from '../rejection.ts';
import { type InstalledPolicy, type PolicyPlan, startPolicy } from './install-policies.ts';
import { fresh } from './rights.ts';
import { freshNamespace, type GetSubject } from './subject.ts';

const denyAll = [{ expression: 'false', message: 'denied' }];

interface Event extends KubeObject {
  readonly involvedObject: object;
  readonly reason: string;
}
const Event = defineKind<Event>({
  apiVersion: 'v1',
  kind: 'Event',
  plural: 'events',
  scope: 'Namespaced',
});

/** Which requests a policy is about. */
export function policySelection(subject: GetSubject): void {
  const start = (plan: Partial<PolicyPlan>) =>
    startPolicy(subject(), { validations: denyAll, ...plan });
  const write = (
    { client, namespace }: Pick<InstalledPolicy, 'client' | 'namespace'>,
    name = 'one',
    labels: Record<string, string> = {},
  ) => client.create(ConfigMap, { metadata: { namespace, name, labels } });

  test('a policy is about the namespaces that it selects', async () => {
    await using policy = await start({});
    const namespace = await freshNamespace(subject());
    await write({ ...policy, namespace });
    await rejection(write(policy));
  });

  test('a policy selects namespaces themselves by their new labels', async () => {
    const name = fresh('policed');
    await using policy = await start({
      resources: ['namespaces'],
      operations: ['CREATE'],
      match: { namespaceSelector: { matchLabels: { policed: name } } },
      validations: [{ expression: 'namespaceObject == null && has(request.namespace) && false' }],
    });
    const create = (labels: Record<string, string>) =>
      policy.client.create(Namespace, { metadata: { name, labels } }, { dryRun: true });
    await create({});
    expect(await rejection(create({ policed: name }))).toMatchObject({ code: 422 });
  });

  test('a policy that selects objects looks at the labels before and after', async () => {
    const objectSelector = { matchLabels: { watched: 'yes' } };
    await using policy = await start({ match: { objectSelector }, operations: ['UPDATE'] });
    const { client, namespace } = policy;
    await write(policy, 'one', { watched: 'yes' });
    await write(policy, 'two');
    const label = (name: string, watched: string | null) => {
      const patch = mergePatch({ metadata: { labels: { watched } } });
      return client.patch(ConfigMap, { namespace, name }, patch);
    };
    await rejection(label('one', null));
    await rejection(label('two', 'yes'));
    await label('two', 'no');
  });

  test('a policy leaves out what its exclusions name', async () => {
    const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['*'] };
    const excluded = { ...rule, resources: ['configmaps'], resourceNames: ['spared'] };
    await using policy = await start({ match: { excludeResourceRules: [excluded] } });
    await write(policy, 'spared');
    await rejection(write(policy));
  });

  test('a policy is about the names that its rules give, and not about generated ones', async () => {
    const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['*'] };
    const named = { ...rule, resources: ['configmaps'], resourceNames: ['meant'] };
    await using policy = await start({ match: { resourceRules: [named] } });
    const { client, namespace } = policy;
    await rejection(write(policy, 'meant'));
    await write(policy);
    await client.create(ConfigMap, { metadata: { namespace, generateName: 'meant' } });
  });

  test('a policy is about the operations that its rules name', async () => {
    await using policy = await start({ operations: ['DELETE'] });
    const { client, namespace } = policy;
    await write(policy);
    expect(await rejection(client.delete(ConfigMap, { namespace, name: 'one' }))).toMatchObject({
      code: 422,
      message: `configmaps "one" is forbidden: ${policy.denied}denied`,
    });
    expect(await client.get(ConfigMap, { namespace, name: 'one' })).toBeDefined();
  });

  test('a policy is about the same objects by another name, unless it is exact', async () => {
    const events = { groups: ['events.k8s.io'], resources: ['events'] };
    const isNew = [{ expression: "request.kind.group != 'events.k8s.io' || has(object.x)" }];
    await using equivalent = await start({ ...events, validations: isNew });
    await using exact = await start({ ...events, match: { matchPolicy: 'Exact' } });
    const create = ({ client, namespace }: InstalledPolicy) => {
      const involvedObject = { apiVersion: 'v1', kind: 'ConfigMap', namespace, name: 'two' };
      const metadata = { namespace, name: 'one' };
      return client.create(Event, { metadata, involvedObject, reason: 'Tested' });
    };
    expect(await rejection(create(equivalent))).toMatchObject({ code: 422 });
    await create(exact);
  });

  test('a binding narrows its policy', async () => {
    const matchResources = { objectSelector: { matchLabels: { watched: 'yes' } } };
    const binding = { validationActions: ['Deny'], matchResources };
    await using policy = await start({ binding });
    await write(policy);
    await rejection(write(policy, 'two', { watched: 'yes' }));
  });

  test('a policy is skipped when one of its conditions is false', async () => {
    await using policy = await start({
      matchConditions: [
        { name: 'broken', expression: "object.data.none == 'x'" },
        { name: 'named', expression: "request.name != 'spared'" },
      ],
    });
    await write(policy, 'spared');
    const why = "expression 'object.data.none == 'x'' resulted in error: no such key: data";
    expect(await rejection(write(policy))).toMatchObject({
      code: 422,
      message: `configmaps "one" is forbidden: ${policy.denied}${why}`,
    });
  });

  test('a policy that ignores failures is skipped when a condition cannot be evaluated', async () => {
    await using policy = await start({
      failurePolicy: 'Ignore',
      matchConditions: [{ name: 'broken', expression: "object.data.none == 'x'" }],
    });
    await write(policy);
  });
}
