import type { Values } from '../values.ts';
import { clusterIDExpression } from './cluster-id-template.ts';
import { Placeholder } from './placeholder.ts';
import { isSection, type Section, valueGuide } from './value-guide.ts';

/** Values whose every leaf stands for what a user of the chart will say. */
export function symbolicValues(): Values {
  const symbols = {
    ...symbolsOf(valueGuide, '.Values'),
    clusterID: new Placeholder(clusterIDExpression, 'string'),
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
