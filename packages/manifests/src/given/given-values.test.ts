import { expect, test } from 'vitest';
import { defaultValues } from '../values.ts';
import { checkValues } from './check-values.ts';
import { mergeGiven, mergeValues } from './merge-values.ts';
import { readSetting } from './read-setting.ts';

test.each([
  [{}],
  [{ clusterID: 'rome', controllerManager: { replicas: 2, metrics: { port: 9090 } } }],
  [{ consumers: { ingressHosts: ['*.example.org'] }, slices: { offerStorageClasses: false } }],
])('checkValues() accepts %j', (given) => {
  expect(checkValues(given)).toEqual([]);
});

test.each([
  [[], 'the values must be a map'],
  [{ images: {} }, 'there is no value "images"'],
  [{ image: 'x' }, '"image" must be a map'],
  [{ image: { version: 'x' } }, 'there is no value "image.version"'],
  [{ image: { pullSecrets: ['x'] } }, '"image.pullSecrets[0]" must be a map'],
  [{ image: { pullSecrets: [{}] } }, '"image.pullSecrets[0]" must have "name"'],
  [{ image: { pullSecrets: [{ name: 'x', a: 1 }] } }, 'there is no value "image.pullSecrets[0].a"'],
  [{ common: { labels: { a: 1 } } }, '"common.labels.a" must be a string, not 1'],
  [{ common: { tolerations: {} } }, '"common.tolerations" must be a list of maps'],
  [{ common: { affinity: 'x' } }, '"common.affinity" must be a map'],
  [
    { virtualKubelet: { reflection: { node: { workers: 1 } } } },
    'there is no value "virtualKubelet.reflection.node"',
  ],
  [
    { virtualKubelet: { reflection: { secret: { workers: 1, type: 'Some' } } } },
    '"virtualKubelet.reflection.secret.type" must be one of "AllowList"',
  ],
  [{ image: { pullPolicy: 'Sometimes' } }, '"image.pullPolicy" must be one of "Always", '],
  [{ controllerManager: { replicas: 'two' } }, '"controllerManager.replicas" must be an integer'],
  [{ controllerManager: { replicas: -1 } }, '"controllerManager.replicas" must be at least 0'],
  [
    { controllerManager: { healthPort: 70_000 } },
    '"controllerManager.healthPort" must be at most 65535',
  ],
  [{ peers: { allowInsecure: 'yes' } }, '"peers.allowInsecure" must be a boolean, not "yes"'],
  [
    { virtualKubelet: { extraArgs: '--a' } },
    '"virtualKubelet.extraArgs" must be a list of strings',
  ],
  [{ clusterID: 'Rome_1' }, '"clusterID" must match '],
  [{ clusterID: 'x'.repeat(52) }, '"clusterID" must have at most 51 characters'],
  [JSON.parse('{"__proto__": {}}'), 'there is no value "__proto__"'],
  [{ constructor: {} }, 'there is no value "constructor"'],
])('checkValues() refuses %j', (given, fault) => {
  expect(checkValues(given)).toEqual([expect.stringContaining(fault)]);
});

test.each([
  ['controllerManager.replicas=2', { controllerManager: { replicas: 2 } }],
  ['peers.allowInsecure=true', { peers: { allowInsecure: true } }],
  ['image.name=a=b', { image: { name: 'a=b' } }],
  ['consumers.ingressHosts={a,b}', { consumers: { ingressHosts: ['a', 'b'] } }],
  ['consumers.ingressHosts={}', { consumers: { ingressHosts: [] } }],
  ['consumers.namespacePatterns[0]=*-x', { consumers: { namespacePatterns: ['*-x'] } }],
  ['image.pullSecrets[0].name=x', { image: { pullSecrets: [{ name: 'x' }] } }],
  ['common.labels.a=1', { common: { labels: { a: '1' } } }],
  ['common.labels.example\\.com/a=b', { common: { labels: { 'example.com/a': 'b' } } }],
  ['common.nodeSelector={"a":"b"}', { common: { nodeSelector: { a: 'b' } } }],
  ['common.tolerations=[{"key":"a"}]', { common: { tolerations: [{ key: 'a' }] } }],
  [
    'virtualKubelet.reflection.secret.workers=3',
    { virtualKubelet: { reflection: { secret: { workers: 3 } } } },
  ],
])('readSetting() reads %s', (text, given) => {
  expect(readSetting(text)).toEqual(given);
});

test.each([
  ['image', '"image" is not of the form NAME=VALUE'],
  ['image=x', '"image" is a map, not a value'],
  ['image.version=x', 'there is no value "image.version"'],
  ['image.name.more=x', 'there is no value "image.name.more"'],
  ['__proto__.x=1', 'there is no value "__proto__"'],
])('readSetting() refuses %s', (text, fault) => {
  expect(() => readSetting(text)).toThrow(fault);
});

test('mergeValues() puts values on top of the defaults, and the last one counts', () => {
  const given = [
    { image: { name: 'a' }, consumers: { ingressHosts: ['a', 'b'] } },
    { image: { name: 'b' }, consumers: { ingressHosts: ['c'] } },
  ];
  const values = mergeValues(given, { clusterID: 'rome', namespace: 'here' });
  expect(values).toEqual({
    ...defaultValues,
    clusterID: 'rome',
    namespace: 'here',
    image: { ...defaultValues.image, name: 'b' },
    consumers: { ...defaultValues.consumers, ingressHosts: ['c'] },
  });
  expect(mergeGiven(given)).toEqual({ image: { name: 'b' }, consumers: { ingressHosts: ['c'] } });
});
