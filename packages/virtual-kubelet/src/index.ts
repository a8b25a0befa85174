export { parseReflectedResource, type ReflectedCustomResource } from '@liqo/model';
export { noAddresses } from './addresses/address-source.ts';
export { OwnAddresses, type OwnAddressesOptions } from './addresses/own-addresses.ts';
export {
  defaultReflectorSettings,
  type ReflectedResource,
  type ReflectionSettings,
  reflectedResources,
} from './reflection/reflectors.ts';
export { startVirtualKubelet } from './virtual-kubelet.ts';
