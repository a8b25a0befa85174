/** Of what peers write: far above what they need, and far below what hurts. */

/** Base64 of a certificate request or key. Those of RSA with 4,096 bits have less than 3,000 characters. */
export const certificateRequestLength = 32_768;
/** Of names that Kubernetes does not check in our kinds. */
export const nameLength = 253;

/** Custom resources of one VkOptionsTemplate: each costs two watches for every namespace. */
export const mostReflectedResources = 20;
/** Conditions about reflection, for each provider: one for a kind. */
export const mostReflectionConditions = 40;

/** Of what a provider tells about itself in an offer. */
export const offerBounds = {
  labels: 64,
  classes: 64,
  images: 500,
  namesOfImage: 20,
  imageNameLength: 512,
  prices: 600,
  neighbors: 100,
  properties: 64,
  propertyLength: 1024,
} as const;
/** Of the clusters, or labels, that a ClusterConfig names. */
export const mostConfigured = 1000;
/** In seconds; a year. An offer that holds for longer is refused. */
export const longestValiditySeconds = 31_536_000;
