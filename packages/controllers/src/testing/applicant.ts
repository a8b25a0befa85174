import { createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { Tenant } from '@liqo/api';
import { forgeCertificateRequest } from '@liqo/kube/x509';
import { controlPlaneSubject, forgeTenant, type IdentitySubject } from '@liqo/model';

/** A consumer that wants to be let in, as far as the provider can see it. */
export class Applicant {
  readonly clusterID: string;
  readonly key: KeyObject;

  constructor(clusterID: string, key = generateKeyPairSync('ed25519').privateKey) {
    this.clusterID = clusterID;
    this.key = key;
  }

  get publicKey(): string {
    return encode(createPublicKey(this.key).export({ format: 'pem', type: 'spki' }));
  }

  csr(subject: IdentitySubject = controlPlaneSubject(this.clusterID)): string {
    return encode(forgeCertificateRequest({ subject, key: this.key }));
  }

  sign(nonce: string): string {
    const hash = this.key.asymmetricKeyType === 'ed25519' ? undefined : 'sha256';
    return encode(sign(hash, Buffer.from(nonce), this.key));
  }

  tenant(nonce: string, spec: Partial<Tenant['spec']> = {}): Tenant {
    const request = {
      consumerClusterID: this.clusterID,
      publicKey: this.publicKey,
      csr: this.csr(),
      signature: this.sign(nonce),
    };
    const forged = forgeTenant(request, `liqo-tenant-${this.clusterID}`);
    return { ...forged, spec: { ...forged.spec, ...spec } };
  }
}

function encode(content: string | Buffer): string {
  return Buffer.from(content).toString('base64');
}
