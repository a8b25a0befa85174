// A door of its own: its library takes 40 ms to load, so callers import it when they need it.
export { forgeCertificateRequest } from './forge-certificate-request.ts';
export { forgeAuthority, forgeIssued } from './forge-issued.ts';
export { forgeSelfSigned } from './forge-self-signed.ts';
export { readCertificate } from './read-certificate.ts';
export { readCertificateRequest } from './read-certificate-request.ts';
export { readPublicKey, readPublicKeyInfo } from './read-public-key.ts';
export { hasSigned } from './signatures.ts';
