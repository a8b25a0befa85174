import { ownMember, type ResourceList } from '@liqo/kube';
import { resourceNames } from '../output/describe-use.ts';
import { type Box, type Row, renderBoxes } from '../output/render-boxes.ts';
import type { CertificateInfo } from './certificate-expiry.ts';
import type { OfferInfo } from './describe-offer.ts';
import type { ModuleInfo } from './judge-module.ts';
import type { PeerDetails, SliceInfo, VirtualNodeInfo } from './peer-details.ts';

/** What `liqoctl info peer` prints for people. */
export function renderPeer(
  { info, network, authentication, offers = [], offloading }: PeerDetails,
  columns?: number,
): string {
  const { APIServerAddr, certificates = [], resourceSlices = [] } = authentication;
  const { virtualNodes = [] } = offloading;
  const boxes: readonly Box[] = [
    {
      title: 'Peer cluster info',
      rows: [
        ['Cluster ID', info.clusterID],
        ['Role', info.role],
      ],
    },
    { title: 'Network', rows: moduleRows(network) },
    {
      title: 'Authentication',
      rows: [
        ...moduleRows(authentication),
        ...(APIServerAddr ? [['API server', APIServerAddr] as const] : []),
        ...headed('Certificates', certificates.map(certificateRow)),
        ...headed('Resource slices', resourceSlices.map(sliceRow)),
      ],
    },
    ...(offers.length > 0 ? [{ title: 'Offers', rows: offers.map(offerRow) }] : []),
    {
      title: 'Offloading',
      rows: [...moduleRows(offloading), ...headed('Virtual nodes', virtualNodes.map(nodeRow))],
    },
  ];
  return renderBoxes(boxes, columns);
}

function moduleRows({ status, alerts = [] }: ModuleInfo): readonly Row[] {
  return [['Status', status], ...alerts.map((alert): Row => ['Alert', alert])];
}

function certificateRow({ identity, expires }: CertificateInfo): Row {
  return [identity, `valid until ${expires}`];
}

function sliceRow(slice: SliceInfo): Row {
  const { name, action, accepted, alerts = [], virtualNodes } = slice;
  const rows: readonly Row[] = [
    ['Action', action],
    ...alerts.map((alert): Row => ['Alert', alert]),
    accepted ? 'Resource slice accepted' : 'Resource slice not accepted',
    ...(virtualNodes ? [['Virtual nodes', virtualNodes.join(', ')] as const] : []),
    ...headed('Resources', amountRows(slice)),
  ];
  return { heading: name, rows };
}

/** `asked 2, granted 4, used 1`, of what is known. */
function amountRows({ asked, resources: granted, used }: SliceInfo): readonly Row[] {
  const sides = Object.entries({ asked, granted, ...(used && { used: withZeros(used, granted) }) });
  return resourceNames(asked, granted, used ?? {}).map((name): Row => {
    const amounts = sides.flatMap(([side, list]) => {
      const amount = ownMember(list, name);
      return amount === undefined ? [] : [`${side} ${amount}`];
    });
    return [name, amounts.join(', ')];
  });
}

function withZeros(used: ResourceList, granted: ResourceList): ResourceList {
  const zeros = Object.keys(granted).map((name) => [name, '0'] as const);
  return { ...Object.fromEntries(zeros), ...used };
}

function offerRow({
  name,
  action,
  status,
  reason,
  resources,
  virtualNode,
  expires,
}: OfferInfo): Row {
  const rows: readonly Row[] = [
    ['Action', action],
    ['Status', reason ? `${status} (${reason})` : status],
    ...(virtualNode ? [['Virtual node', virtualNode] as const] : []),
    ...(expires ? [['Expires', expires] as const] : []),
    ...headed('Resources', resourceRows(resources)),
  ];
  return { heading: name, rows };
}

function nodeRow({ name, status, alerts, secret, resourceSlice, resources }: VirtualNodeInfo): Row {
  const rows: readonly Row[] = [
    ...moduleRows({ status, ...(alerts && { alerts }) }),
    ['Secret', secret],
    ...(resourceSlice ? [['Resource slice', resourceSlice] as const] : []),
    ...headed('Resources', resourceRows(resources)),
  ];
  return { heading: name, rows };
}

function resourceRows(resources: SliceInfo['resources']): readonly Row[] {
  return Object.entries(resources)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, amount]): Row => [name, String(amount)]);
}

function headed(heading: string, rows: readonly Row[]): readonly Row[] {
  return rows.length > 0 ? [{ heading, rows }] : [];
}
