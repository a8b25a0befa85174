import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { IpRangeSet } from '@liqo/kube';
import { judgeServingRequest } from '@liqo/model';
import { Pkcs10CertificateRequestGenerator, SubjectAlternativeNameExtension } from '@peculiar/x509';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseSigningRequest } from './parse-signing-request.ts';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

async function forge(): Promise<Buffer> {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const request = await Pkcs10CertificateRequestGenerator.create({
    name: [{ O: ['system:nodes'] }, { CN: ['system:node:mynode'] }],
    keys,
    signingAlgorithm: algorithm,
    extensions: [new SubjectAlternativeNameExtension([{ type: 'ip', value: '10.0.0.7' }])],
  });
  return Buffer.from(request.rawData);
}

function parse(der: Buffer) {
  const block = `-----BEGIN CERTIFICATE REQUEST-----\n${der.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`;
  return parseSigningRequest(Buffer.from(block).toString('base64'));
}

test('a request that was tampered with is never read as more than one that is good, and never throws', async () => {
  const good = await forge();
  const usages = ['digital signature', 'server auth'];
  const cluster = { services: new IpRangeSet([]), nodes: new IpRangeSet([]) };
  const node = { name: 'mynode', podIPs: ['10.0.0.7'], hostIPs: [], cluster };
  const judge = (der: Buffer) => judgeServingRequest({ usages, content: parse(der) }, node).type;
  expect(judge(good)).toBe('approve');
  const edits = fc.array(
    fc.tuple(fc.nat(good.length - 1), fc.integer({ min: 0, max: 255 }), fc.boolean()),
    { minLength: 1, maxLength: 4 },
  );
  fc.assert(
    fc.property(edits, (changes) => {
      const bytes = [...good];
      for (const [at, byte, inserts] of changes) bytes.splice(at, inserts ? 0 : 1, byte);
      const verdict = judge(Buffer.from(bytes));
      if (verdict !== 'approve') return;
      // What it still says of the subject and the names is to the letter what was asked for.
      expect(parse(Buffer.from(bytes))).toEqual(parse(good));
    }),
    { numRuns: 500 },
  );
});
