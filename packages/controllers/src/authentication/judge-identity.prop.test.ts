import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import type { Identity } from '@liqo/api';
import { parseKubeconfig, resolveConnection, selectContext, untrusted } from '@liqo/kube/node';
import { forgeKubeconfigSecret } from '@liqo/model';
import { VirtualClock } from '@liqo/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { issueCertificate } from '../testing/issue-certificate.ts';
import { judgeIdentity } from './judge-identity.ts';

const { privateKey } = generateKeyPairSync('ed25519');
const keys = {
  privateKey,
  privateKeyPem: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  publicKeyPem: createPublicKey(privateKey).export({ format: 'pem', type: 'spki' }).toString(),
};
const rules = { clusterID: 'rome', reservedAddresses: 'forbidden' } as const;
const validity = { notBeforeMs: 0, notAfterMs: Date.UTC(2100, 0, 1) };
const good = await issueCertificate({
  key: privateKey,
  name: [{ O: ['liqo.io'] }, { CN: ['rome'] }],
  ...validity,
});
const wrong = await Promise.all(
  [
    [{ O: ['system:masters'] }, { CN: ['rome'] }],
    [{ O: ['liqo.io'] }, { O: ['turin'] }, { CN: ['rome'] }],
    [{ O: ['liqo.io', 'turin'] }, { CN: ['rome'] }],
    [{ O: ['liqo.io'] }, { CN: ['rome\nO=liqo.io'] }],
    [{ O: ['liqo.io'] }, { CN: ['turin'] }],
  ].map((name) => issueCertificate({ key: privateKey, name, ...validity })),
);
const foreign = await issueCertificate({
  key: generateKeyPairSync('ed25519').privateKey,
  name: [{ O: ['liqo.io'] }, { CN: ['rome'] }],
  ...validity,
});

function identityWith(authParams: object): Identity {
  const metadata = { name: 'controlplane-milan', namespace: 'liqo-tenant-milan', uid: 'u' };
  const spec = { clusterID: 'milan', type: 'ControlPlane', namespace: 'liqo-tenant-rome' } as const;
  return { metadata, spec: { ...spec, authParams } };
}

const base64 = fc
  .uint8Array({ maxLength: 400 })
  .map((bytes) => Buffer.from(bytes).toString('base64'));
const mutated = fc
  .tuple(fc.nat(good.length - 1), fc.constantFrom('A', '=', '/', '\n', ''))
  .map(([at, text]) => good.slice(0, at) + text + good.slice(at + 1));
const certificate = fc.oneof(
  { weight: 12, arbitrary: fc.constant(good) },
  fc.constantFrom(...wrong, foreign),
  mutated,
  base64,
  fc.string(),
);
const host = fc.oneof(
  fc.constantFrom(
    'milan.example',
    '127.1',
    '0x7f.1',
    '[::ffff:7f00:1]',
    '169.254.169.254',
    'localhost.',
  ),
  fc.ipV4(),
  fc.ipV6().map((address) => `[${address}]`),
  fc.domain(),
  fc.string(),
);
const url = fc.oneof(
  { weight: 6, arbitrary: fc.constant('https://milan.example:6443') },
  fc
    .tuple(fc.constantFrom('https', 'http', 'file', 'HTTPS', ''), host, fc.string({ maxLength: 8 }))
    .map(([scheme, name, rest]) => `${scheme}://${name}${rest}`),
  fc.webUrl(),
  fc.string({ unit: 'binary' }),
);
const authParams = fc.record(
  { apiServer: url, proxyURL: url, ca: certificate, signedCRT: certificate },
  { requiredKeys: [] },
);

test('judgeIdentity() lets nothing of a hostile provider through that its kubeconfig could not use safely', async () => {
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(authParams, async (params) => {
      const identity = identityWith(params);
      const { problem } = judgeIdentity(identity, keys, rules);
      if (problem) {
        expect(problem.message.length).toBeLessThan(1_100);
        return;
      }
      accepted++;
      const stored = { ...identity, metadata: { ...identity.metadata } };
      const secret = forgeKubeconfigSecret(stored as never, btoa(keys.privateKeyPem));
      const text = atob(secret.data?.kubeconfig ?? '');
      const selected = selectContext(parseKubeconfig(text, 'test'));
      // The kubeconfig says what the AuthParams said, and nothing that they smuggled in.
      expect(selected.cluster.cluster.server).toBe(params.apiServer);
      expect(Object.keys(selected.user.user)).toEqual([
        'client-certificate-data',
        'client-key-data',
      ]);
      const clock = new VirtualClock();
      const connection = await resolveConnection(selected, { clock, trust: untrusted });
      expect(connection.server.protocol).toBe('https:');
    }),
    { numRuns: 2_000, seed: 22 },
  );
  expect(accepted).toBeGreaterThan(20);
});

test.each(wrong.map((signedCRT, nth) => [nth, signedCRT]))(
  'judgeIdentity() refuses the wrong subject %i',
  (_, signedCRT) => {
    const params = { apiServer: 'https://milan.example', signedCRT };
    expect(judgeIdentity(identityWith(params), keys, rules).problem?.reason).toBe('OtherSubject');
  },
);
