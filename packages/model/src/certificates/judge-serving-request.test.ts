import { expect, test } from 'vitest';
import { rangeSet } from '../testing/range-set.ts';
import {
  type CertificateContent,
  judgeServingRequest,
  parseServiceAccountUser,
} from './judge-serving-request.ts';

const podIPs = ['10.0.0.7', 'fd00::7', '127.0.0.1', '10.96.0.1', '192.168.7.4', '192.168.7.5'];
const cluster = { services: rangeSet('10.96.0.0/12'), nodes: rangeSet('192.168.7.0/24') };
const node = { name: 'mynode', podIPs, hostIPs: ['192.168.7.5'], cluster };
const usages = ['digital signature', 'server auth'];
const good: CertificateContent = {
  subject: [['O=system:nodes'], ['CN=system:node:mynode']],
  ipAddresses: ['10.0.0.7'],
  otherNames: [],
  extras: [],
};
const judge = (content: Partial<CertificateContent>, asked = usages) =>
  judgeServingRequest({ usages: asked, content: { ...good, ...content } }, node);

test.each([
  ['what a virtual kubelet asks for', {}, usages],
  ['the subject in the other order', { subject: good.subject.toReversed() }, usages],
  ['several addresses of its virtual kubelets', { ipAddresses: podIPs.slice(0, 2) }, usages],
  ['the address of its Node on the host network', { ipAddresses: ['192.168.7.5'] }, usages],
  ['the usages in the other order', {}, usages.toReversed()],
])('judgeServingRequest() approves %s', (_, content, asked) => {
  expect(judge(content, asked)).toEqual({ type: 'approve' });
});

const [organization = [], commonName = []] = good.subject;

test.each<[string, string, Partial<CertificateContent>]>([
  ['another node', 'WrongSubject', { subject: [organization, ['CN=system:node:other']] }],
  ['somebody who is no node', 'WrongSubject', { subject: [organization, ['CN=mynode']] }],
  ['a subject without a group', 'WrongSubject', { subject: [commonName] }],
  ['another group', 'WrongSubject', { subject: [['O=system:masters'], commonName] }],
  ['one more group', 'WrongSubject', { subject: [organization, commonName, ['O=system:masters']] }],
  ['the same group twice', 'WrongSubject', { subject: [organization, organization, commonName] }],
  [
    'one more group in the same relative name',
    'WrongSubject',
    { subject: [['O=system:nodes', 'O=system:masters'], commonName] },
  ],
  ['one more attribute', 'WrongSubject', { subject: [organization, commonName, ['OU=x']] }],
  ['an empty subject', 'WrongSubject', { subject: [] }],
  ['a DNS name', 'UnexpectedNames', { otherNames: ['dns:kubernetes.default.svc'] }],
  ['no address', 'MissingAddress', { ipAddresses: [] }],
  ['loopback', 'ForbiddenAddress', { ipAddresses: ['10.0.0.7', '127.0.0.1'] }],
  ['an address of Services', 'ForbiddenAddress', { ipAddresses: ['10.96.0.1'] }],
  ['the address of another Node', 'ForbiddenAddress', { ipAddresses: ['192.168.7.4'] }],
  ['to be an authority', 'UnexpectedContent', { extras: ['2.5.29.19'] }],
])('judgeServingRequest() denies %s', (_, reason, content) => {
  expect(judge(content)).toMatchObject({ type: 'deny', reason });
});

test.each([
  [['digital signature']],
  [['digital signature', 'server auth', 'client auth']],
  [['digital signature', 'key encipherment', 'server auth']],
  [['client auth', 'digital signature']],
  [[]],
])('judgeServingRequest() denies the usages %j', (asked) => {
  expect(judge({}, asked)).toMatchObject({ type: 'deny', reason: 'WrongUsages' });
});

test('judgeServingRequest() denies what cannot be read', () => {
  expect(judgeServingRequest({ usages, content: undefined }, node)).toMatchObject({
    type: 'deny',
    reason: 'UnreadableRequest',
  });
});

test('judgeServingRequest() waits for a virtual kubelet at the address', () => {
  expect(judge({ ipAddresses: ['10.0.0.7', '10.0.0.8'] })).toEqual({
    type: 'wait',
    message: 'no virtual kubelet of the node "mynode" runs at 10.0.0.8',
  });
});

test.each([
  ['system:serviceaccount:tenant:mynode', { namespace: 'tenant', name: 'mynode' }],
  ['system:serviceaccount:tenant:my:node', undefined],
  ['system:serviceaccount::mynode', undefined],
  ['system:serviceaccounts:tenant:mynode', undefined],
  ['xsystem:serviceaccount:tenant:mynode', undefined],
  ['system:node:mynode', undefined],
  ['jane', undefined],
  [undefined, undefined],
])('parseServiceAccountUser() takes %j for %j', (username, account) => {
  expect(parseServiceAccountUser(username)).toEqual(account);
});
