import { type Client, mergePatch, Namespace, Node, Pod, Secret, Service } from '@liqo/kube';
import { expect, test } from 'vitest';
import { rejection } from '../rejection.ts';
import { installPolicy } from './install-policies.ts';
import { fresh, grant, makeUser } from './rights.ts';
import { issue, makeAccount } from './service-accounts.ts';
import { freshNamespace, type GetSubjectWithUsers } from './subject.ts';

/** Policies that keep an identity to what is its own. */
export function policyPatterns(subject: GetSubjectWithUsers): void {
  const nodeRights = [
    { apiGroups: [''], resources: ['nodes', 'nodes/status'], verbs: ['patch', 'get'] },
  ];
  const relabel = (client: Client, name: string) =>
    client.patch(Node, { name }, mergePatch({ metadata: { labels: { touched: 'yes' } } }));

  /** Whether a client may do something, by the code of the refusal. */
  const codeOf = async (promise: Promise<unknown>): Promise<number | undefined> => {
    const outcome = await promise.then(() => undefined).catch((error: unknown) => error);
    return (outcome as { code?: number } | undefined)?.code;
  };

  test('a service account may update only the Node of its pod', async () => {
    const { client } = subject();
    const [own, other] = [fresh('own'), fresh('other')];
    for (const name of [own, other]) await client.create(Node, { metadata: { name } });
    const { account } = await makeAccount(subject);
    const username = `system:serviceaccount:${account.namespace}:${account.name}`;
    await grant(subject(), username, nodeRights);
    const containers = [{ name: 'main', image: 'example.org/app' }];
    const spec = { containers, serviceAccountName: account.name, nodeName: own };
    const pod = { namespace: account.namespace, name: 'kubelet' };
    await client.create(Pod, { metadata: pod, spec });
    const boundObjectRef = { apiVersion: 'v1', kind: 'Pod', name: pod.name };
    const token = await issue(subject, account, { boundObjectRef });
    const unbound = await issue(subject, account);
    await using policy = await installPolicy(client, account.namespace, {
      resources: ['nodes', 'nodes/status'],
      operations: ['CREATE', 'UPDATE', 'DELETE'],
      matchConditions: [
        { name: 'account', expression: `request.userInfo.username == '${username}'` },
      ],
      validations: [
        {
          expression:
            "request.userInfo.extra['authentication.kubernetes.io/pod-name'] == ['kubelet']",
          message: 'not from the pod',
          reason: 'Forbidden',
        },
        {
          expression:
            "request.userInfo.extra['authentication.kubernetes.io/node-name'][0] == request.name",
          messageExpression: "request.name + ' is not the Node of ' + request.userInfo.username",
          reason: 'Forbidden',
        },
      ],
    });
    await using robot = await subject().as({ token });
    await relabel(robot, own);
    expect(await rejection(relabel(robot, other))).toMatchObject({
      code: 403,
      reason: 'Forbidden',
      message: `nodes "${other}" is forbidden: ${policy.denied}${other} is not the Node of ${username}`,
    });
    const status = mergePatch({ status: { phase: 'Running' } });
    const patch = robot.patch(Node, { name: other }, status, { subresource: 'status' });
    expect(await codeOf(patch)).toBe(403);
    await using stray = await subject().as({ token: unbound });
    expect(await rejection(relabel(stray, own))).toMatchObject({
      code: 422,
      message: expect.stringContaining('no such key: authentication.kubernetes.io/pod-name'),
    });
    await relabel(client, other);
    for (const name of [own, other]) await client.delete(Node, { name });
    await client.delete(Pod, pod, { gracePeriodSeconds: 0 });
  });

  test('a user may update only the Node that its name tells', async () => {
    const { client } = subject();
    const name = fresh('node');
    await client.create(Node, { metadata: { name } });
    await client.create(Node, { metadata: { name: `${name}-x` } });
    const user = `kubelet:${name}`;
    await grant(subject(), user, nodeRights);
    const namespace = await freshNamespace(subject());
    await using _ = await installPolicy(client, namespace, {
      resources: ['nodes'],
      matchConditions: [
        { name: 'kubelet', expression: "request.userInfo.username.startsWith('kubelet:')" },
      ],
      validations: [
        { expression: "request.userInfo.username == 'kubelet:' + object.metadata.name" },
      ],
    });
    await using kubelet = await subject().as({ name: user, groups: [] });
    await relabel(kubelet, name);
    expect(await codeOf(relabel(kubelet, `${name}-x`))).toBe(422);
    await client.delete(Node, { name });
    await client.delete(Node, { name: `${name}-x` });
  });

  test('only the status of pods on a Node may be written', async () => {
    const { client } = subject();
    const rules = [{ apiGroups: [''], resources: ['pods/status'], verbs: ['patch'] }];
    const { client: limited, name, namespace } = await makeUser(subject, rules);
    await using user = limited;
    await using _ = await installPolicy(client, namespace, {
      resources: ['pods/status'],
      operations: ['UPDATE'],
      matchConditions: [{ name: 'user', expression: `request.userInfo.username == '${name}'` }],
      validations: [
        {
          expression: "oldObject.?spec.?nodeName.orValue('') == 'mine'",
          message: 'not on my Node',
        },
      ],
    });
    const make = (pod: string, nodeName: string | undefined) => {
      const containers = [{ name: 'main', image: 'example.org/app' }];
      const spec = { containers, schedulerName: 'nobody', ...(nodeName && { nodeName }) };
      return client.create(Pod, { metadata: { namespace, name: pod }, spec });
    };
    const report = (pod: string) => {
      const patch = mergePatch({ status: { message: 'hello' } });
      return user.patch(Pod, { namespace, name: pod }, patch, { subresource: 'status' });
    };
    await make('bound', 'mine');
    await make('elsewhere', 'other');
    await make('pending', undefined);
    await report('bound');
    expect(await codeOf(report('elsewhere'))).toBe(422);
    expect(await codeOf(report('pending'))).toBe(422);
  });

  test('a token must be bound to an object', async () => {
    const { client } = subject();
    const { account } = await makeAccount(subject);
    const key = { namespace: account.namespace, name: 'leash' };
    await client.create(Secret, { metadata: key });
    await using policy = await installPolicy(client, account.namespace, {
      resources: ['serviceaccounts/token'],
      operations: ['CREATE'],
      validations: [
        {
          expression: 'has(object.spec.boundObjectRef) && object.spec.boundObjectRef != null',
          message: 'tokens must be bound',
          reason: 'Forbidden',
        },
      ],
    });
    expect(await rejection(issue(subject, account))).toMatchObject({
      code: 403,
      message: `serviceaccounts "robot" is forbidden: ${policy.denied}tokens must be bound`,
    });
    const boundObjectRef = { apiVersion: 'v1', kind: 'Secret', name: 'leash' };
    expect(await issue(subject, account, { boundObjectRef })).not.toBe('');
  });

  test('Services with external addresses are denied', async () => {
    const { client } = subject();
    const namespace = await freshNamespace(subject());
    await using _ = await installPolicy(client, namespace, {
      resources: ['services'],
      operations: ['CREATE', 'UPDATE'],
      validations: [
        { expression: '!has(object.spec.externalIPs) || object.spec.externalIPs.size() == 0' },
      ],
    });
    const spec = { ports: [{ port: 80 }] };
    const metadata = { namespace, name: 'one' };
    await client.create(Service, { metadata, spec });
    const patch = mergePatch({ spec: { externalIPs: ['192.0.2.1'] } });
    expect(await codeOf(client.patch(Service, metadata, patch))).toBe(422);
    const given = { ...spec, externalIPs: ['192.0.2.1'] };
    const created = client.create(Service, { metadata: { namespace, name: 'two' }, spec: given });
    expect(await codeOf(created)).toBe(422);
  });

  test('Secrets with tokens of service accounts are denied', async () => {
    const { client } = subject();
    const namespace = await freshNamespace(subject());
    await using _ = await installPolicy(client, namespace, {
      resources: ['secrets'],
      operations: ['CREATE', 'UPDATE'],
      validations: [{ expression: "object.type != 'kubernetes.io/service-account-token'" }],
    });
    const annotations = { 'kubernetes.io/service-account.name': 'default' };
    const metadata = { namespace, name: 'token', annotations };
    const type = 'kubernetes.io/service-account-token';
    expect(await codeOf(client.create(Secret, { metadata, type }))).toBe(422);
    const stringData = { password: 'hidden' };
    await client.create(Secret, { metadata: { namespace, name: 'plain' }, stringData });
  });

  test('a group may write only in namespaces with its label', async () => {
    const { client } = subject();
    const rules = [{ apiGroups: [''], resources: ['secrets'], verbs: ['create'] }];
    const { client: limited, namespace } = await makeUser(subject, rules);
    await using user = limited;
    await using _ = await installPolicy(client, namespace, {
      resources: ['secrets'],
      operations: ['CREATE'],
      matchConditions: [{ name: 'team', expression: "'team' in request.userInfo.groups" }],
      validations: [
        {
          expression:
            'has(namespaceObject.metadata.labels.owner) && namespaceObject.metadata.labels.owner in request.userInfo.groups',
        },
      ],
    });
    const write = (who: Client, name: string) =>
      who.create(Secret, { metadata: { namespace, name } });
    expect(await codeOf(write(user, 'one'))).toBe(422);
    await write(client, 'one');
    const labels = { owner: 'team' };
    await client.patch(Namespace, { name: namespace }, mergePatch({ metadata: { labels } }));
    await write(user, 'two');
  });
}
