import {
  mergePatch,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '@liqo/kube';
import { expect, test } from 'vitest';
import { rejection } from '../rejection.ts';
import { causesOf, tableOf } from './custom-widget.ts';
import { forgePolicy, installPolicy, startPolicy } from './install-policies.ts';
import { fresh, makeUser } from './rights.ts';
import { freshNamespace, type GetSubjectWithUsers } from './subject.ts';

/** Policies and bindings as objects. */
export function policyKinds(subject: GetSubjectWithUsers): void {
  const rule = {
    apiGroups: [''],
    apiVersions: ['v1'],
    operations: ['CREATE'],
    resources: ['configmaps'],
  };
  const matchConstraints = { resourceRules: [rule] };

  test('policies and bindings are stored with their defaults, and without a given status', async () => {
    const { client } = subject();
    const metadata = { name: fresh('policy') };
    const spec = { matchConstraints, validations: [{ expression: 'true' }] };
    const status = { observedGeneration: 7 };
    const policy = await client.create(
      ValidatingAdmissionPolicy,
      { metadata, spec, status },
      { dryRun: true },
    );
    const completed = {
      matchPolicy: 'Equivalent',
      namespaceSelector: {},
      objectSelector: {},
      resourceRules: [{ ...rule, scope: '*' }],
    };
    expect(policy).toMatchObject({
      metadata: { generation: 1 },
      spec: { failurePolicy: 'Fail', matchConstraints: completed },
      status: {},
    });
    expect(policy.status).toEqual({});
    const binding = {
      policyName: 'none',
      validationActions: ['Deny'],
      matchResources: { resourceRules: [rule] },
    };
    const bound = await client.create(
      ValidatingAdmissionPolicyBinding,
      { metadata, spec: binding },
      { dryRun: true },
    );
    expect(bound).toMatchObject({
      metadata: { generation: 1 },
      spec: { ...binding, matchResources: completed },
    });
  });

  test('policies and bindings are found by discovery', async () => {
    const path = '/apis/admissionregistration.k8s.io/v1';
    interface Resources {
      readonly resources: readonly { readonly name: string }[];
    }
    const { resources } = await subject().client.rawJson<Resources>(path);
    const verbs = [
      'create',
      'delete',
      'deletecollection',
      'get',
      'list',
      'patch',
      'update',
      'watch',
    ];
    expect(resources.filter(({ name }) => name.startsWith('validatingadmissionpolic'))).toEqual([
      {
        name: 'validatingadmissionpolicies',
        singularName: 'validatingadmissionpolicy',
        namespaced: false,
        kind: 'ValidatingAdmissionPolicy',
        verbs,
        categories: ['api-extensions'],
        storageVersionHash: expect.any(String),
      },
      {
        name: 'validatingadmissionpolicies/status',
        singularName: '',
        namespaced: false,
        kind: 'ValidatingAdmissionPolicy',
        verbs: ['get', 'patch', 'update'],
      },
      {
        name: 'validatingadmissionpolicybindings',
        singularName: 'validatingadmissionpolicybinding',
        namespaced: false,
        kind: 'ValidatingAdmissionPolicyBinding',
        verbs,
        categories: ['api-extensions'],
        storageVersionHash: expect.any(String),
      },
    ]);
  });

  test('a change of the spec counts as a generation, a change of the status does not', async () => {
    await using policy = await startPolicy(subject(), { validations: [{ expression: 'true' }] });
    const { client, name } = policy;
    const validations = [{ expression: 'true', message: 'other' }];
    const change = mergePatch({ spec: { validations } });
    const changed = await client.patch(ValidatingAdmissionPolicy, { name }, change);
    expect(changed.metadata.generation).toBe(2);
    const status = mergePatch({
      spec: { failurePolicy: 'Ignore' },
      status: { observedGeneration: 2 },
    });
    const told = await client.patch(ValidatingAdmissionPolicy, { name }, status, {
      subresource: 'status',
    });
    expect(told).toMatchObject({
      metadata: { generation: 2 },
      spec: { failurePolicy: 'Fail' },
      status: { observedGeneration: 2 },
    });
  });

  const refusals: readonly (readonly [string, object, readonly object[]])[] = [
    [
      'without rules and validations',
      {},
      [
        { field: 'spec.auditAnnotations', reason: 'FieldValueRequired' },
        { field: 'spec.matchConstraints', reason: 'FieldValueRequired' },
        { field: 'spec.validations', reason: 'FieldValueRequired' },
      ],
    ],
    [
      'whose expression is about something unknown',
      { matchConstraints, validations: [{ expression: 'foo == 1' }] },
      [
        {
          field: 'spec.validations[0].expression',
          message:
            "Invalid value: \"foo == 1\": compilation failed: ERROR: <input>:1:1: undeclared reference to 'foo' (in container '')\n | foo == 1\n | ^",
        },
      ],
    ],
    [
      'whose expression is about a field that requests do not have',
      { matchConstraints, validations: [{ expression: "request.user == 'x'" }] },
      [
        {
          field: 'spec.validations[0].expression',
          message:
            "Invalid value: \"request.user == 'x'\": compilation failed: ERROR: <input>:1:8: undefined field 'user'\n | request.user == 'x'\n | .......^",
        },
      ],
    ],
    [
      'whose expression is no condition',
      { matchConstraints, validations: [{ expression: 'object.metadata.name' }] },
      [
        {
          field: 'spec.validations[0].expression',
          message: 'Invalid value: "object.metadata.name": must evaluate to bool but got dyn',
        },
      ],
    ],
    [
      'that has parameters without saying of which kind',
      { matchConstraints, validations: [{ expression: 'params.x == 1' }] },
      [{ field: 'spec.validations[0].expression', reason: 'FieldValueInvalid' }],
    ],
    [
      'whose variables are in the wrong order',
      {
        matchConstraints,
        variables: [
          { name: 'a', expression: 'variables.b + 1' },
          { name: 'b', expression: '1' },
        ],
        validations: [{ expression: 'variables.a == 2' }],
      },
      [
        {
          field: 'spec.variables[0].expression',
          message: expect.stringContaining("undefined field 'b'"),
        },
      ],
    ],
    [
      'with an unknown reason and an unknown failure policy',
      {
        matchConstraints,
        failurePolicy: 'Retry',
        validations: [{ expression: 'true', reason: 'Unauthorized' }],
      },
      [
        { field: 'spec.failurePolicy', reason: 'FieldValueNotSupported' },
        {
          field: 'spec.validations[0].reason',
          message:
            'Unsupported value: "Unauthorized": supported values: "Forbidden", "Invalid", "RequestEntityTooLarge"',
        },
      ],
    ],
  ];
  test.each(refusals)('a policy %s is refused', async (_, spec, causes) => {
    const metadata = { name: fresh('policy') };
    const error = await rejection(
      subject().client.create(ValidatingAdmissionPolicy, { metadata, spec }),
    );
    expect(error).toMatchObject({ code: 422, reason: 'Invalid' });
    expect(causesOf(error)).toMatchObject(causes);
    expect(causesOf(error)).toHaveLength(causes.length);
  });

  test('a binding must say what to do, and must not deny and warn at once', async () => {
    const { client } = subject();
    const metadata = { name: fresh('binding') };
    const create = (spec: object) =>
      rejection(client.create(ValidatingAdmissionPolicyBinding, { metadata, spec }));
    expect(causesOf(await create({ policyName: 'x' }))).toMatchObject([
      { field: 'spec.validationActions', reason: 'FieldValueRequired' },
    ]);
    const both = { policyName: 'x', validationActions: ['Deny', 'Warn'] };
    expect(causesOf(await create(both))).toMatchObject([
      { field: 'spec.validationActions', reason: 'FieldValueInvalid' },
    ]);
    const paramRef = { name: 'a', selector: {} };
    const ambiguous = { policyName: 'x', validationActions: ['Deny'], paramRef };
    expect(causesOf(await create(ambiguous))).toMatchObject([
      { field: 'spec.paramRef.name', reason: 'FieldValueForbidden' },
      { field: 'spec.paramRef.parameterNotFoundAction', reason: 'FieldValueRequired' },
      { field: 'spec.paramRef.selector', reason: 'FieldValueForbidden' },
    ]);
  });

  test('policies do not judge policies and bindings', async () => {
    const { client } = subject();
    const namespace = await freshNamespace(subject());
    await using policy = await installPolicy(client, namespace, {
      groups: ['admissionregistration.k8s.io'],
      resources: ['*'],
      validations: [{ expression: 'false' }],
      match: { namespaceSelector: {} },
      binding: {
        validationActions: ['Deny'],
        matchResources: { objectSelector: { matchLabels: { test: namespace } } },
      },
    });
    const metadata = { name: fresh('other'), labels: { test: namespace } };
    const { spec, binding } = forgePolicy(namespace, metadata.name, {
      validations: [{ expression: 'true' }],
    });
    await client.create(ValidatingAdmissionPolicy, { metadata, spec });
    await client.create(ValidatingAdmissionPolicyBinding, { metadata, spec: binding });
    await client.delete(ValidatingAdmissionPolicyBinding, metadata);
    await client.delete(ValidatingAdmissionPolicy, metadata);
    expect(policy.name).not.toBe('');
  });

  test('a writer of policies and bindings must be allowed to read the parameters that they name', async () => {
    const group = 'admissionregistration.k8s.io';
    const resources = ['validatingadmissionpolicies', 'validatingadmissionpolicybindings'];
    const rules = [{ apiGroups: [group], resources, verbs: ['create'] }];
    const { client: limited, name } = await makeUser(subject, rules, { everywhere: true });
    await using user = limited;
    const metadata = { name: fresh('policy') };
    const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };
    const spec = { paramKind, matchConstraints, validations: [{ expression: 'true' }] };
    const policy = user.create(ValidatingAdmissionPolicy, { metadata, spec });
    expect(await rejection(policy)).toMatchObject({
      code: 422,
      details: {
        causes: [
          {
            field: 'spec.paramKind',
            reason: 'FieldValueForbidden',
            message: expect.stringMatching(
              new RegExp(
                `^Forbidden: user &\\{${name}  \\[team system:authenticated\\] map\\[.*\\]\\} must have "get" permission on all objects of the referenced paramKind \\(kind=ConfigMap, apiVersion=v1\\)$`,
              ),
            ),
          },
        ],
      },
    });
    const paramRef = { name: 'x', namespace: 'default', parameterNotFoundAction: 'Allow' };
    const binding = { policyName: 'none', validationActions: ['Deny'], paramRef };
    const bound = user.create(ValidatingAdmissionPolicyBinding, { metadata, spec: binding });
    expect(await rejection(bound)).toMatchObject({
      code: 422,
      details: {
        causes: [
          {
            field: 'spec.paramRef',
            message: expect.stringMatching(
              /does not have "get" permission for all groups, versions and resources$/,
            ),
          },
        ],
      },
    });
  });

  test('kubectl is told what matters of policies and bindings', async () => {
    await using policy = await startPolicy(subject(), {
      paramKind: { apiVersion: 'example.org/v1', kind: 'Nothing' },
      validations: [{ expression: 'true' }, { expression: 'true' }],
      binding: {
        validationActions: ['Deny'],
        paramRef: { name: 'x', parameterNotFoundAction: 'Allow' },
      },
    });
    const { client, name } = policy;
    const cellsOf = async (
      kind: typeof ValidatingAdmissionPolicy | typeof ValidatingAdmissionPolicyBinding,
    ) => {
      const { columnDefinitions, rows } = await tableOf(client, kind);
      const row = rows.find(({ cells }) => cells[0] === name);
      return columnDefinitions.map((column, i) => [column.name, row?.cells[i]]);
    };
    expect(await cellsOf(ValidatingAdmissionPolicy)).toEqual([
      ['Name', name],
      ['Validations', 2],
      ['ParamKind', 'example.org/v1/Nothing'],
      ['Age', expect.any(String)],
    ]);
    expect(await cellsOf(ValidatingAdmissionPolicyBinding)).toEqual([
      ['Name', name],
      ['PolicyName', name],
      ['ParamRef', '*/x'],
      ['Age', expect.any(String)],
    ]);
  });

  test('an update of a policy needs the version that it changes', async () => {
    await using policy = await startPolicy(subject(), { validations: [{ expression: 'true' }] });
    const { client, name } = policy;
    const stored = await client.get(ValidatingAdmissionPolicy, { name });
    if (!stored) throw new Error('The policy is gone');
    const { resourceVersion: _, ...metadata } = stored.metadata;
    const update = client.update(ValidatingAdmissionPolicy, { ...stored, metadata });
    expect(causesOf(await rejection(update))).toMatchObject([
      { field: 'metadata.resourceVersion' },
    ]);
  });
}
