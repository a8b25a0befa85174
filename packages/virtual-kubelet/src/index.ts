export { noAddresses } from './addresses/address-source.ts';
export { OwnAddresses, type OwnAddressesOptions } from './addresses/own-addresses.ts';
export { startVirtualKubelet } from './virtual-kubelet.ts';
