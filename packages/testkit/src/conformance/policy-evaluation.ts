import { ConfigMap, mergePatch, Namespace } from '@liqo/kube';
import { expect, test } from 'vitest';
import { rejection } from '../rejection.ts';
import { installPolicy, type PolicyPlan, startPolicy } from './install-policies.ts';
import { makeUser } from './rights.ts';
import { freshNamespace, type GetSubjectWithUsers } from './subject.ts';

/** What the expressions of a policy see. */
export function policyEvaluation(subject: GetSubjectWithUsers): void {
  const start = (plan: PolicyPlan) => startPolicy(subject(), plan);

  /** Expressions that must hold, each in words of its own. */
  const holds = (...expressions: readonly string[]) =>
    expressions.map((expression) => ({ expression, message: `false: ${expression}` }));

  test('the expressions of a creation see the object as it will be stored, and no former one', async () => {
    await using policy = await start({
      operations: ['CREATE'],
      validations: holds(
        "object.apiVersion == 'v1' && object.kind == 'ConfigMap'",
        "object.metadata.name == request.name && object.metadata.name.startsWith('one-')",
        'object.metadata.uid.size() == 36 && has(object.metadata.creationTimestamp)',
        "object.metadata.labels['constructor'] == 'x' && !('toString' in object.metadata.labels)",
        'oldObject == null && !has(oldObject.metadata)',
        "request.operation == 'CREATE' && request.options.kind == 'CreateOptions'",
        "request.kind.kind == 'ConfigMap' && request.resource.resource == 'configmaps'",
        'request.requestKind == request.kind && request.requestResource == request.resource',
        '!has(request.subResource) && !request.dryRun',
        'request.namespace == namespaceObject.metadata.name',
      ),
    });
    const { client, namespace } = policy;
    const labels = { constructor: 'x' };
    await client.create(ConfigMap, { metadata: { namespace, generateName: 'one-', labels } });
  });

  test('the expressions of an update and of a deletion see what was there', async () => {
    await using policy = await start({
      operations: ['UPDATE', 'DELETE'],
      validations: holds(
        "request.operation == 'DELETE' || int(object.data.n) > int(oldObject.data.n)",
        "request.operation == 'UPDATE' || (object == null && oldObject.data.n == '2')",
        "request.name == 'one' && oldObject.metadata.name == 'one'",
      ),
    });
    const { client, namespace } = policy;
    const key = { namespace, name: 'one' };
    await client.create(ConfigMap, { metadata: key, data: { n: '1' } });
    const set = (n: string) => client.patch(ConfigMap, key, mergePatch({ data: { n } }));
    await rejection(set('0'));
    await rejection(client.delete(ConfigMap, key));
    await set('2');
    await client.delete(ConfigMap, key);
  });

  test('each object of a deleted collection is judged', async () => {
    await using policy = await start({
      operations: ['DELETE'],
      validations: holds("oldObject.metadata.name != 'kept'"),
    });
    const { client, namespace } = policy;
    await client.create(ConfigMap, { metadata: { namespace, name: 'kept', labels: { a: 'b' } } });
    const path = `/api/v1/namespaces/${namespace}/configmaps?labelSelector=a%3Db`;
    expect(await rejection(client.raw({ method: 'DELETE', path }))).toMatchObject({ code: 422 });
  });

  test('variables are evaluated in their order, when they are needed', async () => {
    await using policy = await start({
      operations: ['CREATE'],
      variables: [
        { name: 'size', expression: 'int(object.data.size)' },
        { name: 'twice', expression: 'variables.size * 2' },
        { name: 'broken', expression: 'object.data.none' },
      ],
      validations: [
        {
          expression: 'variables.twice < 10',
          messageExpression: "'twice: ' + string(variables.twice)",
        },
        { expression: "object.metadata.name != 'broken' || variables.broken == 'x'" },
      ],
    });
    const { client, namespace } = policy;
    const write = (name: string, size: string) =>
      client.create(ConfigMap, { metadata: { namespace, name }, data: { size } });
    await write('small', '4');
    expect(await rejection(write('large', '7'))).toMatchObject({
      message: `configmaps "large" is forbidden: ${policy.denied}twice: 14`,
    });
    expect(await rejection(write('broken', '1'))).toMatchObject({
      message: `configmaps "broken" is forbidden: ${policy.denied}expression 'object.metadata.name != 'broken' || variables.broken == 'x'' resulted in error: composited variable "broken" fails to evaluate: no such key: none`,
    });
  });

  test('an error in one half of a condition does not count when the other decides', async () => {
    await using policy = await start({
      operations: ['CREATE'],
      validations: holds(
        "object.data.none == 'x' || object.metadata.name == 'one'",
        "!(object.data.none == 'x' && object.metadata.name == 'two')",
        "object.?data.?none.orValue('absent') == 'absent'",
      ),
    });
    const { client, namespace } = policy;
    await client.create(ConfigMap, { metadata: { namespace, name: 'one' } });
  });

  test('expressions see the namespace of a request', async () => {
    const { client } = subject();
    const namespace = await freshNamespace(subject(), { tier: 'gold' });
    await using _ = await installPolicy(client, namespace, {
      operations: ['CREATE'],
      validations: holds(
        "namespaceObject.metadata.labels['tier'] == 'gold'",
        "namespaceObject.spec.finalizers == ['kubernetes'] && namespaceObject.status.phase == 'Active'",
      ),
    });
    const metadata = { namespace, name: 'one' };
    await client.create(ConfigMap, { metadata }, { dryRun: true });
    const patch = mergePatch({ metadata: { labels: { tier: 'silver' } } });
    await client.patch(Namespace, { name: namespace }, patch);
    expect(await rejection(client.create(ConfigMap, { metadata }))).toMatchObject({ code: 422 });
  });

  test('expressions see the sender of the request, and what it may do', async () => {
    const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['create'] }];
    const { client, name, namespace } = await makeUser(subject, rules);
    await using user = client;
    await using policy = await installPolicy(subject().client, namespace, {
      operations: ['CREATE'],
      validations: holds(
        `request.userInfo.username == '${name}' && !has(request.userInfo.uid)`,
        "'team' in request.userInfo.groups && 'system:authenticated' in request.userInfo.groups",
        "authorizer.requestResource.check('create').allowed()",
        "!authorizer.requestResource.check('delete').allowed()",
        `authorizer.group('').resource('configmaps').namespace('${namespace}').check('create').allowed()`,
        "!authorizer.group('').resource('configmaps').check('create').allowed()",
        "!authorizer.group('').resource('pods').subresource('status').namespace('x').name('y').check('get').allowed()",
        "!authorizer.path('/metrics').check('get').allowed()",
        `!authorizer.serviceAccount('${namespace}', 'default').group('').resource('configmaps').namespace('${namespace}').check('create').allowed()`,
      ),
    });
    const metadata = { namespace, name: 'one' };
    await user.create(ConfigMap, { metadata }, { dryRun: true });
    expect(await rejection(policy.client.create(ConfigMap, { metadata }))).toMatchObject({
      code: 422,
    });
  });

  test('server-side apply of a new object is a creation', async () => {
    await using policy = await start({
      validations: holds("request.operation == 'CREATE' && object.data.a == 'b'"),
    });
    const { client, namespace } = policy;
    const metadata = { namespace, name: 'one' };
    await client.apply(ConfigMap, { metadata, data: { a: 'b' } });
    await rejection(client.apply(ConfigMap, { metadata, data: { a: 'c' } }));
  });
}
