import { createHash, createPrivateKey, type KeyObject } from 'node:crypto';

/** The PKCS #8 of an Ed25519 key, but for its 32 bytes. */
const head = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The private key of a simulated cluster: the same in every run, so that runs can be compared. */
export function clusterKeyOf(clusterID: string): KeyObject {
  const seed = createHash('sha256').update(clusterID).digest();
  return createPrivateKey({ key: Buffer.concat([head, seed]), format: 'der', type: 'pkcs8' });
}
