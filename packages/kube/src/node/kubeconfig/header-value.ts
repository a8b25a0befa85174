/** Whether a value can be sent as an HTTP header: visible ASCII and spaces, so no line break that would start another. */
export function fitsHeader(value: string): boolean {
  return /^[ -~]*$/.test(value);
}
