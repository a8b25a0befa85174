import { expect, test } from 'vitest';
import { PolicyChecker } from './policy-checker.ts';
import accepted from './policy-checker.vectors.json' with { type: 'json' };

// What a kube-apiserver 1.35.4 refuses, and in which words, is among the vectors of `resources/validation.test.ts`.
test.each(accepted)('PolicyChecker accepts %s, as the real server does', (expression) => {
  expect(new PolicyChecker({}).validation(expression)).toBeUndefined();
});

test('PolicyChecker knows the variables that were added, and their types', () => {
  const variables = [
    { name: 'flag', expression: 'object.x == 1' },
    { name: 'names', expression: "['a']" },
  ];
  const checker = new PolicyChecker({ variables });
  expect(checker.validation('variables.flag')).toContain("undefined field 'flag'");
  for (const { name, expression } of variables) checker.addVariable(name, expression);
  expect(checker.validation('variables.flag')).toBeUndefined();
  expect(checker.validation("variables.names.exists(name, name == 'a')")).toBeUndefined();
  expect(checker.validation('variables.names == 1')).toContain(
    "found no matching overload for '_==_' applied to '(list(string), int)'",
  );
  expect(checker.matchCondition('variables.flag')).toContain("undeclared reference to 'variables'");
});

test('PolicyChecker knows parameters only when the policy has them', () => {
  expect(new PolicyChecker({}).matchCondition('params.x == 1')).toContain("'params'");
  const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };
  expect(new PolicyChecker({ paramKind }).matchCondition('params.x == 1')).toBeUndefined();
});
