import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type CertificateAuthority,
  createCertificateAuthority,
  type KeyPair,
} from './certificate-authority.ts';

/** Writes the certificates of a control plane into `<folder>/pki`, under the names that kubeadm gives them. */
export async function writeClusterCertificates(
  folder: string,
  hosts: readonly string[],
): Promise<CertificateAuthority> {
  const pki = join(folder, 'pki');
  mkdirSync(pki);
  const [ca, frontProxyCa] = await Promise.all([
    createCertificateAuthority('kubernetes'),
    createCertificateAuthority('front-proxy-ca'),
  ]);
  const kubeletClient = { name: 'kube-apiserver-kubelet-client', groups: ['system:masters'] };
  writeKeyPair(pki, 'ca', ca);
  writeKeyPair(pki, 'front-proxy-ca', frontProxyCa);
  writeKeyPair(pki, 'apiserver', await ca.issueServer('kube-apiserver', hosts));
  writeKeyPair(pki, 'apiserver-kubelet-client', await ca.issueClient(kubeletClient));
  const frontProxy = await frontProxyCa.issueClient({ name: 'front-proxy-client', groups: [] });
  writeKeyPair(pki, 'front-proxy-client', frontProxy);
  writeServiceAccountKeys(pki);
  return ca;
}

function writeKeyPair(pki: string, name: string, pair: KeyPair): void {
  writeFileSync(join(pki, `${name}.crt`), pair.certificate);
  writeFileSync(join(pki, `${name}.key`), pair.privateKey);
}

/** The keys that sign the tokens of service accounts. */
function writeServiceAccountKeys(pki: string): void {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  writeFileSync(join(pki, 'sa.pub'), publicKey.export({ type: 'spki', format: 'pem' }));
  writeFileSync(join(pki, 'sa.key'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
}
