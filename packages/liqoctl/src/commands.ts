import type { Command } from './command.ts';
import { acceptAdvertisement } from './commands/accept-advertisement.ts';
import { activateTenant } from './commands/activate-tenant.ts';
import { authenticateCommand } from './commands/authenticate.ts';
import { completion } from './commands/completion.ts';
import { cordonResourceSlice } from './commands/cordon-resource-slice.ts';
import { cordonTenant } from './commands/cordon-tenant.ts';
import { createNonce } from './commands/create-nonce.ts';
import { createResourceSlice } from './commands/create-resource-slice.ts';
import { createVirtualNode } from './commands/create-virtual-node.ts';
import { deletePeeringUser } from './commands/delete-peering-user.ts';
import { deleteResourceSlice } from './commands/delete-resource-slice.ts';
import { deleteVirtualNode } from './commands/delete-virtual-node.ts';
import { describeAdvertisement } from './commands/describe-advertisement.ts';
import { disableOffer } from './commands/disable-offer.ts';
import { doctor } from './commands/doctor.ts';
import { drainTenant } from './commands/drain-tenant.ts';
import { enableOffer } from './commands/enable-offer.ts';
import { forceUnpeerCommand } from './commands/force-unpeer.ts';
import { generateIdentity } from './commands/generate-identity.ts';
import { generatePeeringUser } from './commands/generate-peering-user.ts';
import { generateTenant } from './commands/generate-tenant.ts';
import { getKubeconfig } from './commands/get-kubeconfig.ts';
import { getNonce } from './commands/get-nonce.ts';
import { getResourceSlice } from './commands/get-resource-slice.ts';
import { getVirtualNode } from './commands/get-virtual-node.ts';
import { info } from './commands/info.ts';
import { infoPeer } from './commands/info-peer.ts';
import { install } from './commands/install.ts';
import { listAdvertisements } from './commands/list-advertisements.ts';
import { offerStatus } from './commands/offer-status.ts';
import { offloadNamespace } from './commands/offload-namespace.ts';
import { peerCommand } from './commands/peer.ts';
import { refuseAdvertisement } from './commands/refuse-advertisement.ts';
import { testOffloading } from './commands/test-offloading.ts';
import { unauthenticateCommand } from './commands/unauthenticate.ts';
import { uncordonResourceSlice } from './commands/uncordon-resource-slice.ts';
import { uncordonTenant } from './commands/uncordon-tenant.ts';
import { uninstall } from './commands/uninstall.ts';
import { unoffloadNamespace } from './commands/unoffload-namespace.ts';
import { unpeerCommand } from './commands/unpeer.ts';
import { version } from './commands/version.ts';
import { why } from './commands/why.ts';

/** The table of commands, in the order of the help. */
export const commands: readonly Command[] = [
  install,
  uninstall,
  info,
  infoPeer,
  why,
  doctor,
  testOffloading,
  peerCommand,
  unpeerCommand,
  forceUnpeerCommand,
  authenticateCommand,
  unauthenticateCommand,
  createResourceSlice,
  getResourceSlice,
  deleteResourceSlice,
  createVirtualNode,
  getVirtualNode,
  deleteVirtualNode,
  listAdvertisements,
  describeAdvertisement,
  acceptAdvertisement,
  refuseAdvertisement,
  enableOffer,
  disableOffer,
  offerStatus,
  offloadNamespace,
  unoffloadNamespace,
  cordonTenant,
  uncordonTenant,
  drainTenant,
  activateTenant,
  cordonResourceSlice,
  uncordonResourceSlice,
  createNonce,
  getNonce,
  generateTenant,
  generateIdentity,
  generatePeeringUser,
  deletePeeringUser,
  getKubeconfig,
  version,
  completion,
];
