import { expect, test } from 'vitest';
import type { AdmissionRequest } from './admission-review.ts';
import { MatchConditions } from './match-conditions.ts';

const request = {
  operation: 'UPDATE',
  object: { metadata: { name: 'web', labels: { app: 'web' } }, spec: { replicas: 3, ratio: 0.5 } },
  oldObject: { metadata: { name: 'web' }, spec: { replicas: 1 } },
  userInfo: { username: 'alice', groups: ['developers'] },
} as unknown as AdmissionRequest;

const evaluate = (...expressions: readonly string[]) => {
  const matchConditions = expressions.map((expression) => ({ name: 'test', expression }));
  return new MatchConditions().evaluate({ matchConditions }, request);
};

test.each([
  ['object.spec.replicas == 3', true],
  ['object.spec.replicas > oldObject.spec.replicas + 1', true],
  ['object.spec.replicas % 2 == 0', false],
  ['object.spec.ratio == 0.5', true],
  ['request.operation in ["CREATE", "UPDATE"]', true],
  ['request.userInfo.groups.exists(g, g.startsWith("dev"))', true],
  ['has(object.metadata.labels) && !has(oldObject.metadata.labels)', true],
  ['object.metadata.?annotations["x"].orValue("none") == "none"', true],
  ['"app" in object.metadata.labels', true],
  ['object.metadata.name.matches("^w.b$")', true],
])('MatchConditions.evaluate() of %s is %s', (expression, matches) => {
  expect(evaluate(expression)).toEqual({ matches });
});

test('MatchConditions.evaluate() lets everything pass when there are none', () => {
  expect(evaluate()).toEqual({ matches: true });
});

test('MatchConditions.evaluate() reports what cannot be evaluated', () => {
  expect(evaluate('true', 'object.spec.colour == "red"')).toEqual({
    error: `expression 'object.spec.colour == "red"' resulted in error: no such key: colour`,
  });
  const errors = { error: expect.stringMatching(/^\[expression .*, expression .*\]$/) };
  expect(evaluate('object.a', 'object.b')).toEqual(errors);
});

test('MatchConditions.evaluate() takes one that is false for an answer, whatever the others', () => {
  expect(evaluate('object.nothing', '1 == 2')).toEqual({ matches: false });
});
