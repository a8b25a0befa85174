import { boolean, list, object, string } from '../schema.ts';

const isDefault = boolean('Used for objects that name no class.');

/** The storage, ingress and load balancer classes that a provider lends. */
export const offeredClasses = forgeOfferedClasses();

/** The same, with limits to how many there are and how long their names may be. */
export function forgeOfferedClasses(bounds: { maxItems?: number; maxLength?: number } = {}) {
  const { maxLength, ...most } = bounds;
  const name = string(maxLength === undefined ? {} : { maxLength });
  return {
    storageClasses: list(
      object({ required: { storageClassName: name }, optional: { default: isDefault } }),
      most,
    ),
    ingressClasses: list(
      object({ required: { ingressClassName: name }, optional: { default: isDefault } }),
      most,
    ),
    loadBalancerClasses: list(
      object({ required: { loadBalancerClassName: name }, optional: { default: isDefault } }),
      most,
    ),
  };
}
