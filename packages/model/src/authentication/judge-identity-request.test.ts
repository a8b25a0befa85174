import { expect, test } from 'vitest';
import { type IdentityRequestFacts, judgeIdentityRequest } from './judge-identity-request.ts';
import { controlPlaneSubject, sliceSubject } from './subjects.ts';

const content = {
  subject: [['O=liqo.io'], ['CN=rome']],
  ipAddresses: [],
  otherNames: [],
  extras: [],
  hasValidSignature: true,
};
const good: IdentityRequestFacts = { content, hasExpectedKey: true };
const judge = (facts: IdentityRequestFacts) =>
  judgeIdentityRequest(facts, controlPlaneSubject('rome'));
const judgeSubject = (subject: readonly (readonly string[])[]) =>
  judge({ ...good, content: { ...content, subject } });

test.each([
  ['in the order of Go', [['O=liqo.io'], ['CN=rome']]],
  ['in the other order', [['CN=rome'], ['O=liqo.io']]],
])('judgeIdentityRequest() accepts the subject %s', (_, subject) => {
  expect(judgeSubject(subject)).toBeUndefined();
});

test.each([
  ['nothing', []],
  ['no organization', [['CN=rome']]],
  ['no common name', [['O=liqo.io']]],
  ['another consumer', [['O=liqo.io'], ['CN=oslo']]],
  ['another group', [['O=system:masters'], ['CN=rome']]],
  ['one more group', [['O=liqo.io'], ['O=oslo'], ['CN=rome']]],
  ['one more group in the same name', [['O=liqo.io', 'O=oslo'], ['CN=rome']]],
  ['one more common name', [['O=liqo.io'], ['CN=rome'], ['CN=oslo']]],
  ['an organizational unit', [['O=liqo.io'], ['CN=rome'], ['OU=x']]],
  ['both in one relative name', [['O=liqo.io', 'CN=rome']]],
  ['the same group twice', [['O=liqo.io'], ['O=liqo.io'], ['CN=rome']]],
  ['a name in another string type', [['O=liqo.io'], ['CN=#1e08']]],
  ['other letters', [['O=liqo.io'], ['CN=Rome']]],
  ['a space', [['O=liqo.io'], ['CN=rome ']]],
])('judgeIdentityRequest() refuses a subject with %s', (_, subject) => {
  expect(judgeSubject(subject)).toMatch(/^the subject is ".*", and must be "O=liqo.io,CN=rome"$/);
});

test.each([
  ['a text that is no request', { content: undefined }, 'cannot be read'],
  [
    'a request with another signature',
    { content: { ...content, hasValidSignature: false } },
    'not signed with its own key',
  ],
  ['an address', { content: { ...content, ipAddresses: ['10.0.0.1'] } }, '10.0.0.1'],
  ['another name', { content: { ...content, otherNames: ['dns:a.example'] } }, 'dns:a.example'],
  ['an extension', { content: { ...content, extras: ['2.5.29.19'] } }, '2.5.29.19'],
  ['another key', { hasExpectedKey: false }, 'is not that of the Tenant'],
] as const)('judgeIdentityRequest() refuses %s', (_, facts, problem) => {
  expect(judge({ ...good, ...facts })).toContain(problem);
});

test('judgeIdentityRequest() keeps the identities of slices and control planes apart', () => {
  const slice = { ...content, subject: [['O=rome'], ['CN=milan-a8a4c692b93b']] };
  const facts = { ...good, content: slice };
  expect(judgeIdentityRequest(facts, sliceSubject('milan', 'rome'))).toBeUndefined();
  expect(judge(facts)).toBeDefined();
  expect(judgeIdentityRequest(good, sliceSubject('milan', 'rome'))).toBeDefined();
});
