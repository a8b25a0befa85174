import type { ReflectionWarning } from './plan-reflection.ts';

/** A class that a provider offers, of whatever kind. */
interface OfferedClass {
  readonly name: string;
  readonly default?: boolean | undefined;
}

/**
 * The class of a copy: the one that the object names, if the provider offers it; else what the copy has; else the default one
 * of the provider, or its first. Undefined if the provider offers none.
 */
export function chooseOfferedClass(
  named: string | undefined,
  offered: readonly OfferedClass[],
  current?: string,
): string | undefined {
  if (named !== undefined && offered.some(({ name }) => name === named)) return named;
  if (current) return current;
  return (offered.find((one) => one.default) ?? offered[0])?.name;
}

/** What to tell the user of an object whose copy has another class than the object names, or none. */
export function warnOfClass(
  subject: string,
  {
    what,
    named,
    chosen,
  }: { what: string; named?: string | undefined; chosen?: string | undefined },
  providerClusterID: string,
): ReflectionWarning | undefined {
  if (chosen !== undefined && (named === undefined || named === chosen)) return undefined;
  const offer = named === undefined ? `no ${what} class` : `no ${what} class "${named}"`;
  const consequence =
    chosen === undefined
      ? 'its copy has none, and is served only if the provider has a default one'
      : `its copy has class "${chosen}"`;
  const message = `Provider "${providerClusterID}" offers ${offer} for ${subject}: ${consequence}`;
  return { reason: 'ClassNotOffered', message };
}
