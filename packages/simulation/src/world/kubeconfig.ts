/** Who somebody is, and where. */
export interface Credentials {
  readonly cluster: string;
  readonly user: string;
  readonly groups: readonly string[];
}

/** In a simulated world a kubeconfig says no more than that. */
export function writeKubeconfig(credentials: Credentials): string {
  return JSON.stringify(credentials);
}

export function readKubeconfig(text: string): Credentials {
  try {
    return JSON.parse(text) as Credentials;
  } catch (cause) {
    throw new Error('Cannot read the kubeconfig: it is none', { cause });
  }
}
