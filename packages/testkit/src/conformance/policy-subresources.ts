import { type Client, Deployment, mergePatch, type ObjectKey, Pod } from '@liqo/kube';
import { expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { rejection } from '../rejection.ts';
import { installPolicy, type PolicyPlan } from './install-policies.ts';
import { makePod } from './pod-on-node.ts';
import { fresh } from './rights.ts';
import { freshNamespace, type GetSubject } from './subject.ts';

/** Policies about requests that are not for an object itself. */
export function policySubresources(subject: GetSubject): void {
  /** A pod in a namespace with a policy. */
  const start = async (plan: PolicyPlan) => {
    const { client } = subject();
    const pod = await makePod(subject, 'one');
    const policy = await installPolicy(client, pod.namespace, plan);
    const denied = (said: string, name = 'one', kind = 'pods') =>
      `${kind} "${name}" is forbidden: ${policy.denied}${said}`;
    return { client, pod, denied, [Symbol.asyncDispose]: () => policy[Symbol.asyncDispose]() };
  };
  const setStatus = (client: Client, pod: ObjectKey, message: string) =>
    client.patch(Pod, pod, mergePatch({ status: { message } }), { subresource: 'status' });

  test('a rule for pods leaves their subresources out', async () => {
    await using world = await start({
      resources: ['pods'],
      validations: [{ expression: 'false' }],
    });
    await setStatus(world.client, world.pod, 'hello');
  });

  test('a status is judged with the whole object', async () => {
    await using world = await start({
      resources: ['pods/status'],
      validations: [
        {
          expression:
            "request.subResource == 'status' && request.kind.kind == 'Pod' && object.spec.containers.size() == 1 && object.status.message == 'fine'",
          message: 'not fine',
        },
      ],
    });
    await setStatus(world.client, world.pod, 'fine');
    expect(await rejection(setStatus(world.client, world.pod, 'bad'))).toMatchObject({
      code: 422,
      message: world.denied('not fine'),
    });
  });

  test('ephemeral containers are judged as an update of the pod', async () => {
    await using world = await start({
      resources: ['pods/ephemeralcontainers'],
      validations: [
        {
          expression:
            "request.operation != 'UPDATE' || object.spec.ephemeralContainers.all(c, c.image != 'example.org/bad')",
          message: 'bad image',
        },
      ],
    });
    const { client, pod } = world;
    const debug = (name: string, image: string) => {
      const spec = { ephemeralContainers: [{ name, image }] };
      const subresource = 'ephemeralcontainers' as never;
      return client.patch(Pod, pod, mergePatch({ spec }), { subresource });
    };
    expect(await rejection(debug('a', 'example.org/bad'))).toMatchObject({
      message: world.denied('bad image'),
    });
    await debug('b', 'example.org/good');
  });

  test('a binding is judged as a creation', async () => {
    await using world = await start({
      resources: ['pods/binding'],
      operations: ['CREATE'],
      validations: [
        {
          expression:
            "request.kind.kind == 'Binding' && object.target.name != 'forbidden' && oldObject == null",
          message: 'not there',
        },
      ],
    });
    const { client, pod } = world;
    expect(await rejection(client.bind(pod, 'forbidden'))).toMatchObject({
      code: 422,
      message: world.denied('not there'),
    });
    await client.bind(pod, fresh('nowhere'));
  });

  test('an eviction is judged as such, and not as the deletion of the pod', async () => {
    await using world = await start({
      resources: ['pods', 'pods/eviction'],
      operations: ['CREATE', 'DELETE'],
      validations: [
        {
          expression:
            "request.operation == 'CREATE' && request.kind.kind == 'Eviction' && request.kind.group == 'policy' && object.metadata.name == 'one' && object.deleteOptions.gracePeriodSeconds == 0",
          message: 'not so',
        },
      ],
    });
    const { client, pod } = world;
    expect(await rejection(client.evict(pod))).toMatchObject({
      code: 422,
      message: expect.stringContaining('denied request'),
    });
    expect(await rejection(client.delete(Pod, pod))).toMatchObject({
      message: world.denied('not so'),
    });
    await client.evict(pod, { gracePeriodSeconds: 0 });
  });

  test('a token request is judged with what was left open filled in', async () => {
    const { client } = subject();
    const namespace = await freshNamespace(subject());
    await using policy = await installPolicy(client, namespace, {
      resources: ['serviceaccounts/token'],
      operations: ['CREATE'],
      validations: [
        {
          expression:
            "request.kind.kind == 'TokenRequest' && request.name == 'default' && object.metadata.name == 'default' && object.spec.audiences.size() == 1 && object.spec.expirationSeconds == 700",
          message: 'no such token',
        },
      ],
    });
    const ask = (expirationSeconds: number) =>
      client.createToken({ namespace, name: 'default' }, { audiences: [], expirationSeconds });
    expect(await rejection(ask(800))).toMatchObject({
      code: 422,
      reason: 'Invalid',
      message: `serviceaccounts "default" is forbidden: ${policy.denied}no such token`,
      details: { name: 'default', kind: 'serviceaccounts' },
    });
    expect((await ask(700)).status?.token).toBeDefined();
  });

  test('a scale is judged as such', async () => {
    const { client } = subject();
    const namespace = await freshNamespace(subject());
    await using policy = await installPolicy(client, namespace, {
      groups: ['apps'],
      resources: ['deployments/scale'],
      validations: [
        {
          expression:
            "object.kind == 'Scale' && request.kind.group == 'autoscaling' && object.spec.replicas <= 3",
          message: 'too many',
        },
      ],
    });
    const labels = { app: 'one' };
    const template = {
      metadata: { labels },
      spec: { schedulerName: 'nobody', containers: [{ name: 'main', image: 'example.org/app' }] },
    };
    const metadata = { namespace, name: 'one' };
    const spec = { replicas: 1, selector: { matchLabels: labels }, template };
    await client.create(Deployment, { metadata, spec });
    const scale = async (replicas: number) =>
      client.updateScale(Deployment, metadata, {
        ...(await client.getScale(Deployment, metadata)),
        spec: { replicas },
      });
    // A controller may change the object between the reading and the writing of its scale.
    await eventually(async () => {
      expect(await rejection(scale(4))).toMatchObject({
        code: 422,
        message: `deployments.apps "one" is forbidden: ${policy.denied}too many`,
      });
    });
    await eventually(() => scale(2));
  });

  test.each(['POST', 'GET'])(
    'a command by %s is judged before the pod is looked for',
    async (method) => {
      await using world = await start({
        resources: ['pods/exec'],
        operations: ['CONNECT'],
        validations: [
          {
            expression:
              "request.operation == 'CONNECT' && object.kind == 'PodExecOptions' && object.command == ['ls', '-l'] && object.stdout && !has(object.stdin) && request.name != 'absent'",
            message: 'no shells',
          },
        ],
      });
      const { client, pod } = world;
      const ask = (name: string, query: string) =>
        client.raw({
          method,
          path: `/api/v1/namespaces/${pod.namespace}/pods/${name}/exec?${query}`,
        });
      expect(await rejection(ask('absent', 'command=ls&command=-l&stdout=true'))).toMatchObject({
        code: 422,
        message: world.denied('no shells', 'absent'),
      });
      expect(await rejection(ask('one', 'command=sh&stdout=true&stdin=true'))).toMatchObject({
        code: 422,
        message: world.denied('no shells'),
      });
      expect(await rejection(ask('one', 'command=ls&command=-l&stdout=true'))).toMatchObject({
        code: 400,
      });
    },
  );

  test('forwarded ports and proxied paths are judged', async () => {
    await using world = await start({
      resources: ['pods/portforward', 'pods/proxy'],
      operations: ['CONNECT'],
      validations: [
        {
          expression:
            "object.kind == 'PodPortForwardOptions' ? object.ports != [8080] : object.path != '/secret/door'",
          message: 'closed',
        },
      ],
    });
    const { client, pod } = world;
    const base = `/api/v1/namespaces/${pod.namespace}/pods/one`;
    const forward = { method: 'POST', path: `${base}/portforward?ports=8080` };
    expect(await rejection(client.raw(forward))).toMatchObject({
      code: 422,
      message: world.denied('closed'),
    });
    const proxy = { method: 'GET', path: `${base}/proxy/secret/door` };
    expect(await rejection(client.raw(proxy))).toMatchObject({
      code: 422,
      message: world.denied('closed'),
    });
  });
}
