import { expect, test } from 'vitest';
import { requiredVersion } from './required-version.ts';

const goMod = `module example

go 1.25.0

require example.org/alone v1.0.0

require (
	k8s.io/kubernetes v1.35.4 // indirect
	k8s.io/kubectl v0.0.0 // indirect
)

replace (
	k8s.io/kubectl => k8s.io/kubectl v0.35.4
)
`;

test.each([
  ['in a list', 'k8s.io/kubernetes', 'v1.35.4'],
  ['required alone', 'example.org/alone', 'v1.0.0'],
])('requiredVersion() finds a module %s', (_, module, version) => {
  expect(requiredVersion(goMod, module)).toBe(version);
});

test('requiredVersion() refuses a module that is not required', () => {
  expect(() => requiredVersion(goMod, 'k8s.io/kube')).toThrow(
    'Cannot find the version of Go module "k8s.io/kube"',
  );
});
