import { X509Certificate } from 'node:crypto';
import type { KubeObject } from '@liqo/kube';
import type {
  CertificateSigningRequest,
  CertificateSigningRequestCondition,
} from 'kubernetes-types/certificates/v1.d.ts';
import { validateSignerName } from '../../resources/certificates/signer-name.ts';
import {
  duplicate,
  invalid,
  notSupported,
  oneOf,
  type Problems,
  required,
} from '../../resources/validation/field-problem.ts';
import type { FieldProblem } from '../../rest/refusal.ts';
import { CertificateRequestError, parseCertificateRequest } from './certificate-request.ts';
import { readPem } from './pem.ts';

/** Sorted, as the server lists them. */
const knownUsages: readonly string[] = [
  'any',
  'cert sign',
  'client auth',
  'code signing',
  'content commitment',
  'crl sign',
  'data encipherment',
  'decipher only',
  'digital signature',
  'email protection',
  'encipher only',
  'ipsec end system',
  'ipsec tunnel',
  'ipsec user',
  'key agreement',
  'key encipherment',
  'microsoft sgc',
  'netscape sgc',
  'ocsp signing',
  's/mime',
  'server auth',
  'signing',
  'timestamping',
];

/** Which can be said, or not said, but never denied. */
export const finalConditions: readonly string[] = ['Approved', 'Denied', 'Failed'];

export function validateSigningRequest(object: KubeObject): Problems {
  const { spec, status = {} } = object as CertificateSigningRequest;
  const { usages = [], signerName, expirationSeconds } = spec;
  return [
    ...requestProblems(spec.request),
    ...usageProblems(usages),
    ...signerNameProblems(signerName),
    ...expirationProblems(expirationSeconds),
    ...conditionProblems(status.conditions ?? []),
    ...certificateProblems(status.certificate),
  ];
}

function requestProblems(request = ''): FieldProblem[] {
  try {
    parseCertificateRequest(Buffer.from(request, 'base64').toString());
    return [];
  } catch (error) {
    if (!(error instanceof CertificateRequestError)) throw error;
    return [invalid('spec.request', request, error.message)];
  }
}

function usageProblems(usages: readonly string[]): FieldProblem[] {
  if (usages.length === 0) return [required('spec.usages')];
  return [
    ...usages.flatMap((usage, i) => oneOf(`spec.usages[${i}]`, usage, knownUsages)),
    ...usages.flatMap((usage, i) =>
      usages.indexOf(usage) < i ? [duplicate(`spec.usages[${i}]`, usage)] : [],
    ),
  ];
}

function signerNameProblems(name = ''): FieldProblem[] {
  const field = 'spec.signerName';
  if (name !== 'kubernetes.io/legacy-unknown') return validateSignerName(field, name);
  return [invalid(field, name, 'the legacy signerName is not allowed via this API version')];
}

function expirationProblems(seconds: number | undefined): FieldProblem[] {
  if (seconds === undefined || seconds >= 600) return [];
  const detail = 'may not specify a duration less than 600 seconds (10 minutes)';
  return [invalid('spec.expirationSeconds', seconds, detail)];
}

function conditionProblems(
  conditions: readonly CertificateSigningRequestCondition[],
): FieldProblem[] {
  const types = conditions.map(({ type }) => type ?? '');
  return conditions.flatMap((condition, i) => {
    const field = `status.conditions[${i}]`;
    const before = types.slice(0, i);
    const type = types[i] ?? '';
    return [
      ...(type === '' ? [required(`${field}.type`)] : []),
      ...statusProblems(`${field}.status`, type, condition.status),
      ...exclusionProblems(type, before),
      ...(before.includes(type) ? [duplicate(`${field}.type`, type)] : []),
    ];
  });
}

function statusProblems(field: string, type: string, status = ''): FieldProblem[] {
  if (status === '') return [required(field)];
  const supported = finalConditions.includes(type) ? ['True'] : ['False', 'True', 'Unknown'];
  return supported.includes(status) ? [] : [notSupported(field, status, supported)];
}

function exclusionProblems(type: string, before: readonly string[]): FieldProblem[] {
  const opposite = { Approved: 'Denied', Denied: 'Approved' }[type];
  if (opposite === undefined || !before.includes(opposite)) return [];
  const detail = 'Approved and Denied conditions are mutually exclusive';
  return [invalid('status.conditions', type, detail)];
}

function certificateProblems(certificate: string | undefined): FieldProblem[] {
  if (!certificate) return [];
  const fault = certificateFault(Buffer.from(certificate, 'base64').toString());
  return fault ? [invalid('status.certificate', '<certificate data>', fault)] : [];
}

function certificateFault(pem: string): string | undefined {
  const blocks = readPem(pem);
  if (blocks.length === 0) return 'must contain at least one CERTIFICATE PEM block';
  const other = blocks.find(({ type }) => type !== 'CERTIFICATE');
  if (other) {
    return `only CERTIFICATE PEM blocks are allowed, found ${JSON.stringify(other.type)}`;
  }
  return blocks.every(({ bytes }) => isCertificate(bytes))
    ? undefined
    : 'x509: malformed certificate';
}

function isCertificate(bytes: Buffer): boolean {
  try {
    return new X509Certificate(bytes).raw.length > 0;
  } catch {
    return false;
  }
}
