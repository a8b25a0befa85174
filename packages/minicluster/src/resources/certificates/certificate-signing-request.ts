import { CertificateSigningRequest, type Clock } from '@liqo/kube';
import { signingRequestStrategy } from '../../auth/certificates/signing-request-strategy.ts';
import { nameColumn } from '../../rest/table.ts';
import { defineResource, partOf, type ResourceDefinition } from '../define-resource.ts';
import { ageColumn, textColumn } from '../printing/columns.ts';
import { humanDuration } from '../printing/human-duration.ts';

export function certificateSigningRequests(clock: Clock): ResourceDefinition {
  return defineResource<CertificateSigningRequest>({
    kind: CertificateSigningRequest,
    shortNames: ['csr'],
    selectableFields: { 'spec.signerName': ({ spec }) => spec.signerName },
    subresources: {
      approval: partOf(CertificateSigningRequest),
      status: partOf(CertificateSigningRequest),
    },
    columns,
    strategy: signingRequestStrategy(clock),
  });
}

const columns = [
  nameColumn,
  ageColumn,
  textColumn('SignerName', ({ spec }: CertificateSigningRequest) => spec.signerName || '<none>'),
  textColumn('Requestor', ({ spec }: CertificateSigningRequest) => spec.username ?? ''),
  textColumn('RequestedDuration', ({ spec }: CertificateSigningRequest) => {
    const seconds = spec.expirationSeconds;
    return seconds === undefined ? '<none>' : humanDuration(seconds * 1000);
  }),
  textColumn('Condition', conditionText),
];

function conditionText({ status }: CertificateSigningRequest): string {
  const has = (type: string) => (status?.conditions ?? []).some((one) => one.type === type);
  const decision = has('Denied') ? 'Denied' : has('Approved') ? 'Approved' : 'Pending';
  const failed = has('Failed') ? ',Failed' : '';
  return `${decision}${failed}${status?.certificate ? ',Issued' : ''}`;
}
