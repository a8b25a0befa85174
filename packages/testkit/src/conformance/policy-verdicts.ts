import {
  ConfigMap,
  mergePatch,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '@liqo/kube';
import { expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { rejection } from '../rejection.ts';
import {
  forgePolicy,
  type InstalledPolicy,
  type PolicyPlan,
  startPolicy,
  untilEnforced,
} from './install-policies.ts';
import { fresh } from './rights.ts';
import { freshNamespace, type GetSubject } from './subject.ts';

/** What becomes of a request that a policy finds fault with. */
export function policyVerdicts(subject: GetSubject): void {
  const start = (plan: PolicyPlan) => startPolicy(subject(), plan);
  const write = ({ client, namespace }: InstalledPolicy, name = 'one', dryRun = false) =>
    client.create(ConfigMap, { metadata: { namespace, name }, data: { size: '3' } }, { dryRun });

  test('a policy denies the requests that its expression is false for, to administrators too', async () => {
    await using policy = await start({
      validations: [{ expression: "object.metadata.name != 'bad'" }],
    });
    const message = `${policy.denied}failed expression: object.metadata.name != 'bad'`;
    expect(await rejection(write(policy, 'bad'))).toMatchObject({
      code: 422,
      reason: 'Invalid',
      message: `configmaps "bad" is forbidden: ${message}`,
      details: { name: 'bad', kind: 'configmaps', causes: [{ message }] },
    });
    const { client, namespace } = policy;
    expect(await client.get(ConfigMap, { namespace, name: 'bad' })).toBeUndefined();
    await write(policy, 'good');
  });

  const denials: readonly (readonly [string, object, object])[] = [
    ['in its own words', { message: ' too big ' }, { code: 422, said: 'too big' }],
    ['as forbidden', { message: 'no', reason: 'Forbidden' }, { code: 403, said: 'no' }],
    ['as too large', { message: 'no', reason: 'RequestEntityTooLarge' }, { code: 413, said: 'no' }],
    [
      'with a message of the request',
      { messageExpression: "'not ' + request.name" },
      { code: 422, said: 'not one' },
    ],
    [
      'with the plain message when the expression of the message fails',
      { message: 'plain', messageExpression: 'string(object.data.none)' },
      { code: 422, said: 'plain' },
    ],
    [
      'with the plain message when the expression of the message gives two lines',
      { message: 'plain', messageExpression: "'a\\nb'" },
      { code: 422, said: 'plain' },
    ],
  ];
  test.each(denials)('a policy denies %s', async (_, validation, expected) => {
    const { code, said } = expected as { code: number; said: string };
    await using policy = await start({ validations: [{ expression: 'false', ...validation }] });
    expect(await rejection(write(policy))).toMatchObject({
      code,
      reason: (validation as { reason?: string }).reason ?? 'Invalid',
      message: `configmaps "one" is forbidden: ${policy.denied}${said}`,
    });
  });

  test('a policy with several failed validations quotes the first', async () => {
    await using policy = await start({
      validations: [
        { expression: 'true', message: 'first' },
        { expression: 'false', message: 'second' },
        { expression: 'false', message: 'third' },
      ],
    });
    expect((await rejection(write(policy))) as Error).toHaveProperty(
      'message',
      `configmaps "one" is forbidden: ${policy.denied}second`,
    );
  });

  test('a policy denies a dry run too', async () => {
    await using policy = await start({ validations: [{ expression: '!request.dryRun' }] });
    expect(await rejection(write(policy, 'one', true))).toMatchObject({ code: 422 });
    await write(policy);
  });

  test('an expression that cannot be evaluated denies the request', async () => {
    await using policy = await start({ validations: [{ expression: "object.data.none == 'x'" }] });
    const why = "expression 'object.data.none == 'x'' resulted in error: no such key: none";
    expect(await rejection(write(policy))).toMatchObject({
      code: 422,
      message: `configmaps "one" is forbidden: ${policy.denied}${why}`,
    });
  });

  test('a policy that ignores failures allows what cannot be evaluated, and denies what is false', async () => {
    await using policy = await start({
      failurePolicy: 'Ignore',
      validations: [
        { expression: "object.data.none == 'x'" },
        { expression: "object.metadata.name == 'good'", message: 'false' },
      ],
    });
    await write(policy, 'good');
    expect(await rejection(write(policy, 'bad'))).toMatchObject({
      message: `configmaps "bad" is forbidden: ${policy.denied}false`,
    });
  });

  test('a binding that warns lets the request pass and tells the client', async () => {
    await using policy = await start({
      validations: [{ expression: 'false', message: 'mind the size' }],
      binding: { validationActions: ['Warn', 'Audit'] },
    });
    await write(policy);
    expect(subject().warnings).toContain(
      `Validation failed for ValidatingAdmissionPolicy '${policy.name}' with binding '${policy.name}': mind the size`,
    );
  });

  test('a binding that only audits lets the request pass', async () => {
    await using policy = await start({
      validations: [{ expression: 'false' }],
      auditAnnotations: [{ key: 'size', valueExpression: 'object.data.size + " kB"' }],
      binding: { validationActions: ['Audit'] },
    });
    await write(policy);
  });

  test('an audit annotation that cannot be evaluated denies the request', async () => {
    await using policy = await start({
      auditAnnotations: [{ key: 'size', valueExpression: 'string(object.data.none)' }],
      binding: { validationActions: ['Audit'] },
    });
    expect(await rejection(write(policy))).toMatchObject({
      code: 422,
      message: `configmaps "one" is forbidden: ${policy.denied}expression 'string(object.data.none)' resulted in error: no such key: none`,
    });
  });

  test('a policy without a binding is not enforced, and a binding waits for its policy', async () => {
    const { client } = subject();
    const namespace = await freshNamespace(subject());
    const name = fresh('policy');
    const { spec, binding } = forgePolicy(namespace, name, {
      validations: [{ expression: 'false' }],
    });
    const create = (dryRun: boolean) =>
      client.create(ConfigMap, { metadata: { namespace, name: 'one' } }, { dryRun });
    const metadata = { name };
    await client.create(ValidatingAdmissionPolicyBinding, { metadata, spec: binding });
    await untilEnforced(client, namespace);
    await create(true);
    await client.create(ValidatingAdmissionPolicy, { metadata, spec });
    await eventually(async () => expect(await rejection(create(true))).toBeDefined());
    await client.delete(ValidatingAdmissionPolicyBinding, metadata);
    await eventually(() => create(false));
    await client.delete(ValidatingAdmissionPolicy, metadata);
  });

  test('a changed policy is enforced as it is now', async () => {
    await using policy = await start({ validations: [{ expression: 'true' }] });
    const { client, name } = policy;
    await write(policy, 'before');
    const validations = [{ expression: 'false', message: 'changed' }];
    await client.patch(ValidatingAdmissionPolicy, { name }, mergePatch({ spec: { validations } }));
    await eventually(async () => {
      expect(await rejection(write(policy, 'after', true))).toMatchObject({
        message: `configmaps "after" is forbidden: ${policy.denied}changed`,
      });
    });
  });
}
