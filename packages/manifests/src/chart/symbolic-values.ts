import type { Values } from '../values.ts';
import { Placeholder } from './placeholder.ts';
import { isSection, type Section, valueGuide } from './value-guide.ts';

const noClusterID =
  'clusterID is required: how this cluster is known to its peers, for example --set clusterID=rome';

/** Values whose every leaf stands for what a user of the chart will say. */
export function symbolicValues(): Values {
  const symbols = {
    ...symbolsOf(valueGuide, '.Values'),
    clusterID: new Placeholder(`(required "${noClusterID}" .Values.clusterID)`, 'string'),
    namespace: new Placeholder('.Release.Namespace', 'string'),
    releaseName: new Placeholder('.Release.Name', 'string'),
  };
  // Placeholders behave like the values that they stand for, as far as manifests may use those.
  return symbols as unknown as Values;
}

function symbolsOf({ values }: Section, path: string): Record<string, unknown> {
  const symbols = Object.entries(values).map(([key, guide]) => {
    const below = `${path}.${key}`;
    const symbol = isSection(guide)
      ? symbolsOf(guide, below)
      : new Placeholder(below, guide.schema.type);
    return [key, symbol] as const;
  });
  return Object.fromEntries(symbols);
}
