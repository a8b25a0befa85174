/** In steps of 10^3. The unit itself is the fourth. */
export const decimalSuffixes: readonly string[] = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];

/** In steps of 2^10, from the unit itself. */
export const binarySuffixes: readonly string[] = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

export const smallestDecimalExponent = -9;
export const largestDecimalExponent = 18;
