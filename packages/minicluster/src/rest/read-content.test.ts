import { ApiError } from '@liqo/kube';
import { expect, test } from 'vitest';
import vectors from '../protobuf/decode-protobuf.vectors.json' with { type: 'json' };
import { readContent } from './read-content.ts';

const protobuf = { 'content-type': 'application/vnd.kubernetes.protobuf' };
const post = { method: 'POST', path: '/', signal: new AbortController().signal };

test('readContent() turns protobuf into JSON, and says so', () => {
  const namespace = vectors.find(({ object }) => object.kind === 'Namespace');
  const bytes = Buffer.from(namespace?.protobuf ?? '', 'base64');
  const { body, headers } = readContent({ ...post, headers: protobuf, body: bytes });
  expect(JSON.parse(body)).toMatchObject({ kind: 'Namespace', metadata: { name: 'shop' } });
  expect(headers['content-type']).toBe('application/json');
});

test('readContent() leaves every other text as it is', () => {
  const headers = { 'content-type': 'application/json' };
  const body = '{"a":"ü"}';
  expect(readContent({ ...post, headers, body })).toEqual({ body, headers });
  expect(readContent({ ...post, headers, body: Buffer.from(body) })).toEqual({ body, headers });
  expect(readContent(post)).toEqual({ body: '', headers: {} });
});

test('readContent() refuses protobuf that it cannot read', () => {
  const read = () => readContent({ ...post, headers: protobuf, body: Buffer.from('junk') });
  expect(read).toThrow(ApiError);
  expect(read).toThrow('the object provided is unrecognized');
});
