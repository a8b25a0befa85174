import { expect, test } from 'vitest';
import { type ApiCall, CallReader, isList, isWatch, isWrite } from './api-call.ts';

const pods = '/api/v1/namespaces/shop/pods';

function read(method: string, path: string): ApiCall {
  return new CallReader().read('alice', { method, path });
}

test.each([
  ['GET', `${pods}/web`, ['get', 'pods', 'shop', 'web']],
  ['GET', `${pods}?limit=500`, ['list', 'pods', 'shop', undefined]],
  ['GET', `${pods}?watch=true`, ['watch', 'pods', 'shop', undefined]],
  ['POST', pods, ['create', 'pods', 'shop', undefined]],
  ['PATCH', `${pods}/web/status`, ['patch', 'pods/status', 'shop', 'web']],
  ['PUT', '/apis/apps/v1/namespaces/a/deployments/b', ['update', 'deployments.apps', 'a', 'b']],
  ['GET', '/version', ['get', '', undefined, undefined]],
])('CallReader reads %s %s', (method, path, [verb, resource, namespace, name]) => {
  expect(read(method, path)).toMatchObject({ who: 'alice', method, path, verb, resource });
  expect(read(method, path)).toMatchObject({ namespace, name });
});

test('CallReader counts the attempts of each caller at the same thing', () => {
  const reader = new CallReader();
  const attempt = (who: string, path: string) => reader.read(who, { method: 'GET', path }).attempt;
  expect(attempt('alice', `${pods}/web`)).toBe(1);
  expect(attempt('bob', `${pods}/web`)).toBe(1);
  expect(attempt('alice', `${pods}/db`)).toBe(1);
  expect(attempt('alice', `${pods}/web`)).toBe(2);
  expect(attempt('alice', '/version')).toBe(1);
  expect(attempt('alice', '/healthz')).toBe(1);
});

test.each([
  ['a watch', read('GET', `${pods}?watch=true`), [true, false, false]],
  ['a list', read('GET', `${pods}?limit=500`), [false, true, false]],
  ['a get', read('GET', `${pods}/web`), [false, false, false]],
  ['a write', read('POST', pods), [false, false, true]],
])('isWatch(), isList() and isWrite() know %s', (_, call, known) => {
  expect([isWatch(call), isList(call), isWrite(call)]).toEqual(known);
});
