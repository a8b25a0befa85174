import { type Box, type Row, renderBoxes } from '../output/render-boxes.ts';
import type { ClusterInfo, HealthInfo, LocalInfo, PeerInfo } from './cluster-info.ts';

/** What `liqoctl info` prints for people: a box for each section that could be had. */
export function renderInfo(
  { local, health, peerings }: Partial<ClusterInfo>,
  columns?: number,
): string {
  const boxes = [
    ...(local ? [localBox(local)] : []),
    ...(health ? [healthBox(health)] : []),
    ...(peerings ? [peeringsBox(peerings.peers)] : []),
  ];
  return renderBoxes(boxes, columns);
}

function localBox({ clusterID, version, labels, APIServerAddr }: LocalInfo): Box {
  const pairs = Object.entries(labels);
  return {
    title: 'Local installation info',
    rows: [
      ['Cluster ID', clusterID],
      ['Version', version || 'unknown'],
      ['K8s API server', APIServerAddr],
      ...(pairs.length > 0 ? [{ heading: 'Cluster labels', rows: pairs }] : []),
    ],
  };
}

function healthBox({ healthy, unhealthyPods = {} }: HealthInfo): Box {
  const title = 'Installation health';
  if (healthy) return { title, rows: ['✔    Liqo is healthy'] };
  const pods = Object.entries(unhealthyPods).map(
    ([name, pod]): Row => [
      name,
      `${pod.status}, ${pod.readyContainers}/${pod.totalContainers} containers ready, ${pod.restarts} restarts`,
    ],
  );
  if (pods.length === 0) {
    return { title, rows: ['✖    Liqo is not healthy: its namespace has no pods'] };
  }
  return { title, rows: ['✖    Liqo is not healthy', { heading: 'Unhealthy pods', rows: pods }] };
}

function peeringsBox(peers: readonly PeerInfo[]): Box {
  const rows = peers.map(
    (peer): Row => ({
      heading: peer.clusterID,
      rows: [
        ['Role', peer.role],
        ['Networking status', peer.networkingStatus],
        ['Authentication status', peer.authenticationStatus],
        ['Offloading status', peer.offloadingStatus],
        ...(peer.certificateExpires
          ? [['Certificate expires', peer.certificateExpires] as const]
          : []),
        ...(peer.alerts ?? []).map((alert): Row => ['Alert', alert]),
      ],
    }),
  );
  return { title: 'Active peerings', rows: rows.length > 0 ? rows : ['None yet'] };
}
