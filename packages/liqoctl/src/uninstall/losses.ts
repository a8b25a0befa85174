/** What an uninstallation takes away, by name. */
export interface Losses {
  /** Peers with which something is in use. */
  readonly peers: readonly string[];
  readonly virtualNodes: readonly string[];
  /** Namespaces that extend to providers. */
  readonly offloadedNamespaces: readonly string[];
  /** What this cluster asks of providers. */
  readonly slices: readonly string[];
  /** The providers whose offers this cluster has accepted. */
  readonly offers: readonly string[];
  /** The consumers that this cluster lends to. */
  readonly tenants: readonly string[];
  /** How many pods of consumers run here. */
  readonly podsOfConsumers: number;
}

/** A clause for each kind of loss; none if nothing is in use. */
export function describeLosses(losses: Losses): readonly string[] {
  const { podsOfConsumers } = losses;
  const lists = [
    ['peer', losses.peers],
    ['virtual node', losses.virtualNodes],
    ['offloaded namespace', losses.offloadedNamespaces],
    ['slice', losses.slices],
    ['accepted offer', losses.offers],
    ['consumer', losses.tenants],
  ] as const;
  return [
    ...lists.flatMap(([noun, names]) => (names.length > 0 ? [listNames(noun, names)] : [])),
    ...(podsOfConsumers > 0 ? [`${podsOfConsumers} pods of consumers`] : []),
  ];
}

const mostNames = 5;

function listNames(noun: string, names: readonly string[]): string {
  const shown = names.slice(0, mostNames).map((name) => `"${name}"`);
  const rest = names.length - shown.length;
  const plural = names.length === 1 ? noun : `${noun}s`;
  return `${names.length} ${plural} (${shown.join(', ')}${rest > 0 ? `, and ${rest} more` : ''})`;
}
