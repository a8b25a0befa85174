export type { KubeletContext } from './kubelet-context.ts';
export type { NodeOptions } from './node/node-controller.ts';
export { startVirtualKubelet, type VirtualKubeletOptions } from './virtual-kubelet.ts';
