import type { KubeObject } from '@liqo/kube';
import { expect, test } from 'vitest';
import type { ApiRequest } from '../../rest/api-request.ts';
import type { RbacAuthorizer } from '../rbac/rbac-authorizer.ts';
import { reviewRules } from './rules-review.ts';

const rules = [
  { verbs: ['get'], apiGroups: [''], resources: ['pods'], resourceNames: ['a'] },
  { verbs: ['get'], nonResourceURLs: ['/healthz'] },
];
const ask = (errors: readonly string[], user: object, spec: object = { namespace: 'shop' }) => {
  const rbac = { rulesFor: () => ({ rules, errors }) } as unknown as RbacAuthorizer;
  const request = { user: { groups: [], extra: {}, ...user } } as unknown as ApiRequest;
  return reviewRules(rbac)({ spec } as KubeObject, request) as { spec: object; status: object };
};

test('reviewRules() tells rules about resources from rules about paths', () => {
  expect(ask([], { name: 'jane' })).toMatchObject({
    spec: {},
    status: { resourceRules: [rules[0]], nonResourceRules: [rules[1]], incomplete: false },
  });
});

test('reviewRules() tells what it could not find', () => {
  const { status } = ask(['x not found', 'y not found'], { name: 'jane' });
  expect(status).toMatchObject({ evaluationError: '[x not found, y not found]' });
});

test('reviewRules() cannot tell all that a node may do', () => {
  const { status } = ask([], { name: 'system:node:one', groups: ['system:nodes'] });
  expect(status).toMatchObject({
    incomplete: true,
    evaluationError: 'node authorizer does not support user rule resolution',
  });
});

test('reviewRules() refuses a review of no namespace', () => {
  expect(() => ask([], { name: 'jane' }, {})).toThrow('no namespace on request');
});
