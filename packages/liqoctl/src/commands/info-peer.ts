import { Advertisement, ResourceSlice } from '@liqo/api';
import { type Client, checkDnsLabel } from '@liqo/kube';
import { readSliceUse } from '../cluster/read-slice-use.ts';
import { defineCommand, type Invocation } from '../command.ts';
import { attempt } from '../explain.ts';
import type { FlagTable } from '../flags/flag.ts';
import { connectionFlags, outputFlag, watchFlag } from '../flags/shared-flags.ts';
import { type DetailFacts, describePeer, type PeerDetails } from '../info/peer-details.ts';
import { peerIDs } from '../info/peer-facts.ts';
import { readPeerFacts } from '../info/read-peer-facts.ts';
import { renderField } from '../info/render-field.ts';
import { renderPeer } from '../info/render-peer.ts';
import { renderJsonDocument, renderYamlDocument } from '../output/render-objects.ts';
import { type Frame, watchFrames } from '../output/watch-frames.ts';
import { ifServed } from '../peering/if-served.ts';
import { UserError } from '../user-error.ts';

const flags = {
  get: {
    type: 'text',
    short: 'g',
    value: 'FIELD',
    help: 'one field only: offloading.status, …; behind the ID of the peer if there are several',
  },
  ...outputFlag(['table', 'json', 'yaml'], 'how it is printed'),
  ...watchFlag,
  ...connectionFlags,
} as const satisfies FlagTable;

export const infoPeer = defineCommand({
  path: ['info', 'peer'],
  summary: 'shows everything about peers',
  description:
    'Prints the network, the authentication and the offloading with each peer, or with those that are named: also what is asked\n' +
    'for in slices, what of it is granted, what pods use, and what is offered.',
  examples: ['liqoctl info peer', 'liqoctl info peer milan --get offloading.status'],
  operands: { placeholder: 'ID', least: 0, most: 100 },
  flags,
  check: ({ operands }) =>
    operands.flatMap((id) => checkDnsLabel(id).map((fault) => `the ID "${id}" ${fault}`)),
  async run(call) {
    const { flags: said, connect, print, progress } = call;
    const { client } = await connect();
    if (!said.watch) {
      const peers = await seePeers(call, client);
      return peers.length === 0 ? progress.note('There are no peers') : print(render(call, peers));
    }
    const look = async (): Promise<Frame> => {
      const peers = await seePeers(call, client);
      return { state: JSON.stringify(peers), text: peers.length === 0 ? '' : render(call, peers) };
    };
    await watchFrames(call, { doing: 'show the peers', format: said.output, look });
  },
});

type Call = Invocation<typeof flags>;

async function seePeers(call: Call, client: Client): Promise<readonly PeerDetails[]> {
  const facts = await attempt('show the peers', readFacts(client, call.signal));
  return choosePeers(call, peerIDs(facts)).map((id) => describePeer(id, facts));
}

function render({ flags: said, around, suggest }: Call, peers: readonly PeerDetails[]): string {
  const document = documentOf(peers);
  if (said.get !== undefined) {
    const showAll = suggest('info peer -o yaml');
    return renderField(document, { path: said.get, output: said.output, showAll });
  }
  if (said.output === 'json') return renderJsonDocument(document);
  if (said.output === 'yaml') return renderYamlDocument(document);
  return peers.map((peer) => renderPeer(peer, around.stdout.columns)).join('\n');
}

async function readFacts(client: Client, signal: AbortSignal): Promise<DetailFacts> {
  const [facts, slices, offers] = await Promise.all([
    readPeerFacts(client, signal),
    client.list(ResourceSlice, signal),
    // A cluster that runs Liqo v1.2 does not know the kind.
    ifServed(client.list(Advertisement, signal), { items: [], resourceVersion: '' }),
  ]);
  const use = await readSliceUse(client, slices.items, facts.virtualNodes, { signal });
  return { ...facts, slices: slices.items, offers: offers.items, use };
}

function choosePeers(
  { operands, suggest }: Pick<Call, 'operands' | 'suggest'>,
  known: readonly string[],
): readonly string[] {
  const unknown = operands.find((id) => !known.includes(id));
  if (unknown === undefined) return operands.length > 0 ? [...new Set(operands)] : known;
  const message = `Cannot show the peer "${unknown}": this cluster knows none of that ID`;
  throw new UserError(message, { hint: `See which there are: ${suggest('info')}` });
}

/** One peer as itself, several by their IDs. */
function documentOf(peers: readonly PeerDetails[]): unknown {
  const [first, ...others] = peers;
  if (first && others.length === 0) return first;
  return Object.fromEntries(peers.map((peer) => [peer.info.clusterID, peer]));
}
