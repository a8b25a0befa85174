export interface CniLayout {
  /** The addresses for pods of this node. */
  readonly pods: string;
}

/** Pods are on a bridge of their node, with addresses that everybody can route to: nothing is translated. */
export function cniConfig({ pods }: CniLayout): string {
  const bridge = {
    type: 'bridge',
    bridge: 'cni0',
    isGateway: true,
    // So that a pod reaches itself by the address of its service.
    hairpinMode: true,
    ipMasq: false,
    ipam: {
      type: 'host-local',
      ranges: [[{ subnet: pods }]],
      routes: [{ dst: '0.0.0.0/0' }],
      dataDir: '/run/cni',
    },
  };
  return JSON.stringify({ cniVersion: '1.0.0', name: 'pods', plugins: [bridge] });
}
