/** A TCP connection, from the end that opened it. */
export interface Connection {
  readonly source: string;
  readonly sourcePort: number;
  readonly destination: string;
  readonly destinationPort: number;
}

/** The open connections in what the kernel prints of those it keeps track of (`/proc/net/nf_conntrack`). */
export function parseConnections(printed: string): readonly Connection[] {
  return printed
    .split('\n')
    .filter((line) => line.startsWith('ipv4') && line.includes(' ESTABLISHED '))
    .map(parseConnection);
}

/** Of the two descriptions in a line, there and back, the first is how the opener sees it. */
function parseConnection(line: string): Connection {
  const field = (name: string) => new RegExp(` ${name}=(\\S+)`).exec(line)?.[1] ?? '';
  return {
    source: field('src'),
    sourcePort: Number(field('sport')),
    destination: field('dst'),
    destinationPort: Number(field('dport')),
  };
}

/** The same connection, from its other end. */
export function turnAround(connection: Connection): Connection {
  return {
    source: connection.destination,
    sourcePort: connection.destinationPort,
    destination: connection.source,
    destinationPort: connection.sourcePort,
  };
}
