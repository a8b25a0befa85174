import type { Command } from './command.ts';
import { completion } from './commands/completion.ts';
import { createNonce } from './commands/create-nonce.ts';
import { createVirtualNode } from './commands/create-virtual-node.ts';
import { deleteVirtualNode } from './commands/delete-virtual-node.ts';
import { getNonce } from './commands/get-nonce.ts';
import { getVirtualNode } from './commands/get-virtual-node.ts';
import { info } from './commands/info.ts';
import { infoPeer } from './commands/info-peer.ts';
import { offloadNamespace } from './commands/offload-namespace.ts';
import { unoffloadNamespace } from './commands/unoffload-namespace.ts';
import { version } from './commands/version.ts';

/** The table of commands, in the order of the help. */
export const commands: readonly Command[] = [
  info,
  infoPeer,
  createVirtualNode,
  getVirtualNode,
  deleteVirtualNode,
  createNonce,
  getNonce,
  offloadNamespace,
  unoffloadNamespace,
  version,
  completion,
];
