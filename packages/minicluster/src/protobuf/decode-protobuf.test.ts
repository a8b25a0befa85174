import { describe, expect, test } from 'vitest';
import { builtInSchemas } from '../schema/built-in-schemas.ts';
import { decodeObject } from '../schema/decode.ts';
import { decodeProtobuf } from './decode-protobuf.ts';
import vectors from './decode-protobuf.vectors.json' with { type: 'json' };
import { fieldTable } from './field-table.ts';

/** The rest of a body after its prefix, in hexadecimal. */
function bodyOf(rest: string): Uint8Array {
  return Buffer.concat([Buffer.from('k8s\0'), Buffer.from(rest.replaceAll(' ', ''), 'hex')]);
}

/** As the server holds it: what is empty in protobuf and what is absent in JSON become one. */
function asHeld(object: Readonly<Record<string, unknown>>): unknown {
  const message = fieldTable().kinds[`${object.apiVersion} ${object.kind}`] ?? '';
  const schemas = builtInSchemas();
  const schema = schemas.definition(message.replace(/^k8s\.io\./, 'io.k8s.'));
  return schema && decodeObject(schemas, schema, object).object;
}

describe('what Kubernetes itself has encoded', () => {
  test.each(vectors)('decodeProtobuf() reads $name', ({ protobuf, object }) => {
    const decoded = decodeProtobuf(Buffer.from(protobuf, 'base64'));
    expect(asHeld(decoded)).toBeDefined();
    expect(asHeld(decoded)).toEqual(asHeld(object));
  });

  test('decodeProtobuf() keeps a zero that somebody asked for', () => {
    const deployment = vectors.find(({ object }) => object.kind === 'Deployment');
    expect(decodeProtobuf(Buffer.from(deployment?.protobuf ?? '', 'base64'))).toMatchObject({
      spec: { replicas: 0, strategy: { rollingUpdate: { maxSurge: '25%', maxUnavailable: 0 } } },
    });
  });
});

test('decodeProtobuf() refuses what does not open as Kubernetes bodies do', () => {
  expect(() => decodeProtobuf(Buffer.from('{}'))).toThrow('the prefix of Kubernetes is missing');
});

test('decodeProtobuf() refuses a kind that has no table', () => {
  const body = bodyOf('0a 0a 0a02 7631 1204 4e6f7065');
  expect(() => decodeProtobuf(body)).toThrow('Cannot decode kind "Nope" of "v1"');
});

test('decodeProtobuf() refuses a body that breaks off', () => {
  const [{ protobuf } = { protobuf: '' }] = vectors;
  const whole = Buffer.from(protobuf, 'base64');
  expect(() => decodeProtobuf(whole.subarray(0, 30))).toThrow('the message breaks off');
});

test('decodeProtobuf() skips fields that it does not know', () => {
  const namespace = '0a 0f 0a02 7631 1209 4e616d657370616365';
  const body = bodyOf(`${namespace} 12 0c 0a03 0a01 61 fa3e 01 78 f83e 01`);
  expect(decodeProtobuf(body)).toMatchObject({ kind: 'Namespace', metadata: { name: 'a' } });
});
