import { deepEqual, type KubeObject } from '@liqo/kube';
import type { CertificateSigningRequest } from 'kubernetes-types/certificates/v1.d.ts';
import type { Admission, AdmissionAttributes } from '../../admission/admission.ts';
import { forbidden } from '../../rest/refusal.ts';
import type { Authorizer } from '../access.ts';
import { userInfoOf } from '../reviews/user-info.ts';
import { mastersGroup, type User } from '../user.ts';
import { CertificateRequestError, parseCertificateRequest } from './certificate-request.ts';
import { organizationsOf } from './distinguished-name.ts';

const group = 'certificates.k8s.io';

/** Who asks for, approves and signs certificates. */
export function certificateAdmission(authorizer: Authorizer): readonly Admission[] {
  return [stampRequester, restrictSubject, checkApproval(authorizer), checkSigning(authorizer)];
}

/** A request says who made it, whatever it says itself. */
const stampRequester: Admission = {
  name: 'CertificateRequester',
  async mutate(attributes) {
    const { object } = attributes;
    if (!object || !concerns(attributes, 'CREATE', '')) return object;
    const {
      username: _,
      uid: __,
      groups: ___,
      extra: ____,
      ...asked
    } = (object as CertificateSigningRequest).spec ?? {};
    const stamped = { ...object, spec: { ...asked, ...userInfoOf(attributes.user) } };
    return stamped;
  },
};

/** Nobody becomes a master by a certificate from the API. */
const restrictSubject: Admission = {
  name: 'CertificateSubjectRestriction',
  async validate(attributes) {
    if (!concerns(attributes, 'CREATE', '')) return;
    const { signerName, request } = specOf(attributes.object);
    if (signerName !== 'kubernetes.io/kube-apiserver-client') return;
    if (!groupsOf(attributes, request).includes(mastersGroup)) return;
    refuse(attributes, `use of ${signerName} signer with ${mastersGroup} group is not allowed`);
  },
};

/** Approving, or denying, takes the right to `approve` for the signer. */
function checkApproval(authorizer: Authorizer): Admission {
  return {
    name: 'CertificateApproval',
    async validate(attributes) {
      if (!concerns(attributes, 'UPDATE', 'approval')) return;
      const { signerName } = specOf(attributes.previous);
      if (maySign(authorizer, attributes.user, 'approve', signerName)) return;
      refuse(attributes, `user not permitted to approve requests with signerName "${signerName}"`);
    },
  };
}

/** So does a certificate, or the failure to make one, take the right to `sign`. */
function checkSigning(authorizer: Authorizer): Admission {
  return {
    name: 'CertificateSigning',
    async validate(attributes) {
      if (!concerns(attributes, 'UPDATE', 'status')) return;
      const { object, previous, user } = attributes;
      if (deepEqual(signatureOf(object), signatureOf(previous))) return;
      const { signerName } = specOf(previous);
      if (maySign(authorizer, user, 'sign', signerName)) return;
      refuse(attributes, `user not permitted to sign requests with signerName "${signerName}"`);
    },
  };
}

function concerns(
  { resource, operation, subresource }: AdmissionAttributes,
  wanted: AdmissionAttributes['operation'],
  wantedSubresource: string,
): boolean {
  const isRequest = resource.group === group && resource.plural === 'certificatesigningrequests';
  return isRequest && operation === wanted && subresource === wantedSubresource;
}

/** For the signer itself, or for all signers of its domain. */
function maySign(authorizer: Authorizer, user: User, verb: string, signerName: string): boolean {
  const [domain] = signerName.split('/');
  return [signerName, `${domain}/*`].some((name) => {
    const resource = { group, plural: 'signers', subresource: '', namespace: '', name };
    return authorizer.authorize({ user, verb, resource, path: '' }).allowed;
  });
}

function groupsOf(attributes: AdmissionAttributes, request: string): readonly string[] {
  try {
    const { subject } = parseCertificateRequest(Buffer.from(request, 'base64').toString());
    return organizationsOf(subject);
  } catch (error) {
    if (!(error instanceof CertificateRequestError)) throw error;
    return refuse(attributes, `failed to parse CSR: ${error.message}`);
  }
}

function specOf(object: KubeObject | undefined): CertificateSigningRequest['spec'] {
  return (object as CertificateSigningRequest).spec;
}

function signatureOf(object: KubeObject | undefined): unknown {
  const { certificate = '', conditions = [] } = (object as CertificateSigningRequest).status ?? {};
  return { certificate, conditions };
}

function refuse({ resource, name }: AdmissionAttributes, why: string): never {
  throw forbidden(resource, name, why);
}
