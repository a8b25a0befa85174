/** Of what peers write: far above what they need, and far below what hurts. */

/** Base64 of a certificate request or key. Those of RSA with 4,096 bits have less than 3,000 characters. */
export const certificateRequestLength = 32_768;
/** Of names that Kubernetes does not check in our kinds. */
export const nameLength = 253;
