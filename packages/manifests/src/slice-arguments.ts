import { jsonItems } from './json-items.ts';
import type { Values } from './values.ts';

/** The arguments of the controller manager about what consumers are granted. */
export function sliceArguments(slices: Values['slices']): readonly string[] {
  return [
    `--enable-resource-enforcement=${slices.enableResourceEnforcement}`,
    `--default-limits-enforcement=${slices.defaultLimitsEnforcement}`,
    `--default-resource-slice-class-enabled=${slices.enableDefaultClass}`,
    `--default-node-resources=${jsonItems(slices.defaultNodeResources)}`,
    `--cluster-labels=${jsonItems(slices.nodeLabels)}`,
    `--enable-storage=${slices.offerStorageClasses}`,
    `--real-storage-class-name=${slices.defaultStorageClass}`,
    `--ingress-classes=${jsonItems(slices.ingressClasses)}`,
    `--load-balancer-classes=${jsonItems(slices.loadBalancerClasses)}`,
  ];
}
