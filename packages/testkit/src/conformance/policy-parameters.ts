import {
  type Client,
  ConfigMap,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '@liqo/kube';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { rejection } from '../rejection.ts';
import { forgeWidget, integer } from './custom-widget.ts';
import { installPolicy, type PolicyPlan } from './install-policies.ts';
import { freshNamespace, type GetSubject } from './subject.ts';
import { WidgetWorkshop } from './widget-workshop.ts';

/**
 * Binds a policy that has ConfigMaps as parameters, and is about nothing. It stays: a kube-apiserver 1.35 stops to follow
 * the objects of a built-in kind when the last policy with parameters of that kind goes, and never begins again.
 */
async function keepFollowing(client: Client): Promise<void> {
  const metadata = { name: 'conformance-follows-config-maps' };
  const rule = {
    apiGroups: ['none.example.org'],
    apiVersions: ['*'],
    operations: ['*'],
    resources: ['*'],
  };
  const spec = {
    paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
    matchConstraints: { resourceRules: [rule] },
    validations: [{ expression: 'true' }],
  };
  const binding = { policyName: metadata.name, validationActions: ['Audit'] };
  await client.apply(ValidatingAdmissionPolicy, { metadata, spec });
  await client.apply(ValidatingAdmissionPolicyBinding, { metadata, spec: binding });
}

/** Objects that a policy takes its parameters from. */
export function policyParameters(subject: GetSubject): void {
  const workshop = new WidgetWorkshop(subject);
  beforeAll(() => keepFollowing(subject().client));
  afterAll(() => workshop.cleanUp(subject().client));

  const start = async (plan: Partial<PolicyPlan>) => {
    const { client } = subject();
    const namespace = await freshNamespace(subject());
    const policy = await installPolicy(client, namespace, {
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      match: { objectSelector: { matchLabels: { judged: 'yes' } } },
      validations: [
        {
          expression: 'object.data.colour == params.data.colour',
          messageExpression: "'want ' + string(params.data.colour)",
        },
      ],
      ...plan,
    });
    const param = (name: string, colour: string, labels: Record<string, string> = {}) =>
      client.create(ConfigMap, { metadata: { namespace, name, labels }, data: { colour } });
    const write = (colour: string) => {
      const metadata = { namespace, name: 'subject', labels: { judged: 'yes' } };
      return client.create(ConfigMap, { metadata, data: { colour } }, { dryRun: true });
    };
    const denied = `configmaps "subject" is forbidden: ${policy.denied}`;
    return { write, param, denied, [Symbol.asyncDispose]: () => policy[Symbol.asyncDispose]() };
  };
  const by = (paramRef: object) => ({ paramRef, validationActions: ['Deny'] });

  test('a binding names the parameters, in the namespace of the request', async () => {
    const paramRef = { name: 'settings', parameterNotFoundAction: 'Deny' };
    await using policy = await start({ binding: by(paramRef) });
    expect(await rejection(policy.write('red'))).toMatchObject({
      code: 422,
      message: `${policy.denied}failed to configure binding: no params found for policy binding with \`Deny\` parameterNotFoundAction`,
    });
    await policy.param('settings', 'red');
    await eventually(() => policy.write('red'));
    expect(await rejection(policy.write('blue'))).toMatchObject({
      message: `${policy.denied}want red`,
    });
  });

  test('a binding selects parameters, and the request has to satisfy all', async () => {
    const selector = { matchLabels: { use: 'policy' } };
    const paramRef = { selector, parameterNotFoundAction: 'Allow' };
    await using policy = await start({ binding: by(paramRef) });
    await policy.write('blue');
    await policy.param('first', 'red', { use: 'policy' });
    await policy.param('other', 'blue');
    await eventually(async () => expect(await rejection(policy.write('blue'))).toBeDefined());
    await policy.write('red');
    await policy.param('second', 'blue', { use: 'policy' });
    await eventually(async () => expect(await rejection(policy.write('red'))).toBeDefined());
  });

  test('parameters are null when the binding names none', async () => {
    await using policy = await start({ validations: [{ expression: 'params == null' }] });
    await policy.write('red');
  });

  test('parameters may be custom objects', async () => {
    const Widget = await workshop.withSpec({ limit: integer });
    const { client } = subject();
    await client.create(Widget, forgeWidget('limits', { limit: 3 }));
    const apiVersion = `${Widget.group}/${Widget.version}`;
    await using policy = await start({
      paramKind: { apiVersion, kind: 'Widget' },
      validations: [
        {
          expression: 'object.data.colour.size() <= params.spec.limit',
          messageExpression:
            "'at most ' + string(params.spec.limit) + ' of ' + string(params.kind)",
        },
      ],
      binding: by({ name: 'limits', parameterNotFoundAction: 'Deny' }),
    });
    await eventually(() => policy.write('red'));
    expect(await rejection(policy.write('blue'))).toMatchObject({
      message: `${policy.denied}at most 3 of Widget`,
    });
  });

  test('a policy whose parameters are of an unknown kind denies every request', async () => {
    await using policy = await start({
      paramKind: { apiVersion: 'none.example.org/v1', kind: 'Nothing' },
      validations: [{ expression: 'true' }],
      binding: by({ name: 'x', parameterNotFoundAction: 'Allow' }),
    });
    const error = (await rejection(policy.write('red'))) as Error;
    expect(error).toMatchObject({ code: 422 });
    expect(error.message).toMatch(
      /denied request: failed to configure policy: failed to find resource referenced by paramKind: 'none\.example\.org\/v1, Kind=Nothing'$/,
    );
  });

  test('parameters of the cluster have no namespace', async () => {
    await using policy = await start({
      paramKind: { apiVersion: 'v1', kind: 'Node' },
      validations: [{ expression: 'true' }],
      binding: by({ name: 'x', namespace: 'y', parameterNotFoundAction: 'Allow' }),
    });
    expect(await rejection(policy.write('red'))).toMatchObject({
      message: `${policy.denied}failed to configure binding: paramRef.namespace must not be provided for a cluster-scoped \`paramKind\``,
    });
  });
}
