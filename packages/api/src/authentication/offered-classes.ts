import { boolean, list, object, string } from '../schema.ts';

const isDefault = boolean('Used for objects that name no class.');

/** The storage, ingress and load balancer classes that a provider lends. */
export const offeredClasses = {
  storageClasses: list(
    object({ required: { storageClassName: string() }, optional: { default: isDefault } }),
  ),
  ingressClasses: list(
    object({ required: { ingressClassName: string() }, optional: { default: isDefault } }),
  ),
  loadBalancerClasses: list(
    object({ required: { loadBalancerClassName: string() }, optional: { default: isDefault } }),
  ),
};
