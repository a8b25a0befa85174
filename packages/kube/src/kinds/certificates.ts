import type * as certificates from 'kubernetes-types/certificates/v1.d.ts';
import { defineKind } from '../kind.ts';

export type CertificateSigningRequest = certificates.CertificateSigningRequest;
export const CertificateSigningRequest = defineKind<CertificateSigningRequest>({
  apiVersion: 'certificates.k8s.io/v1',
  kind: 'CertificateSigningRequest',
  plural: 'certificatesigningrequests',
  scope: 'Cluster',
});
