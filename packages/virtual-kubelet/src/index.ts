export { startVirtualKubelet } from './virtual-kubelet.ts';
