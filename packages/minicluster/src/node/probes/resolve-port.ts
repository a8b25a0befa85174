import type { Container } from 'kubernetes-types/core/v1.d.ts';

/** The number of a port that a probe or hook names; throws when there is none. */
export function resolvePort(port: number | string, container: Container): number {
  const named = (container.ports ?? []).find(({ name }) => name === port)?.containerPort;
  const number = named ?? Number(port);
  if (Number.isNaN(number)) {
    throw new Error(`strconv.Atoi: parsing ${JSON.stringify(port)}: invalid syntax`);
  }
  if (number > 0 && number < 65_536) return number;
  throw new Error(`invalid port number: ${number}`);
}
