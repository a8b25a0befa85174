/** Kubernetes' MicroTime: six digits after the second. */
export function microTime(ms: number, micros = 0): string {
  return new Date(ms).toISOString().replace('Z', `${String(micros).padStart(3, '0')}Z`);
}
