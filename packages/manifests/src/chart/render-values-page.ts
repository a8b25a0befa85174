import { ownMember } from '@liqo/kube';
import { defaultValues } from '../values.ts';
import {
  isSection,
  type Section,
  type ValueGuide,
  type ValueSchema,
  valueGuide,
} from './value-guide.ts';

const head = `# Values of the chart

Generated from \`packages/manifests\`: change the guide there, then run \`npm run chart\`.

\`helm install\` takes these values with \`--values FILE\` and \`--set NAME=VALUE\`, and \`liqoctl install\` takes the same ones in the
same way. Misspelt names and values of the wrong type are refused before anything is written. \`charts/liqo/values.yaml\` has the
defaults as a file.

In a key of a map, \`\\.\` is a dot: \`--set 'common.labels.example\\.com/team=blue'\`.
`;

/** `docs/values.md`: every value with its type, its default and what it means. */
export function renderValuesPage(): string {
  const defaults = { clusterID: '', ...defaultValues };
  return `${[head, ...renderSection(valueGuide, defaults, '')].join('\n')}\n`;
}

/** One table for the values of a section; sections below it follow. */
function renderSection(
  { values }: Section,
  defaults: Readonly<Record<string, unknown>>,
  path: string,
): readonly string[] {
  const entries = Object.entries(values).map(([key, guide]) => {
    return { name: path === '' ? key : `${path}.${key}`, guide, value: ownMember(defaults, key) };
  });
  const rows = entries.flatMap(({ name, guide, value }) =>
    isSection(guide) ? [] : [renderRow(name, guide, value)],
  );
  const below = entries.flatMap(({ name, guide, value }) =>
    isSection(guide)
      ? [
          `## ${name}`,
          '',
          guide.about,
          '',
          ...renderSection(guide, value as Readonly<Record<string, unknown>>, name),
        ]
      : [],
  );
  const table = ['| value | type | default | |', '|---|---|---|---|', ...rows, ''];
  return [...(rows.length > 0 ? table : []), ...below];
}

function renderRow(name: string, { about, schema }: ValueGuide, value: unknown): string {
  const type = schema.enum
    ? schema.enum.map((word) => `\`${word}\``).join(', ')
    : typeWords(schema);
  const cells = [`\`${name}\``, type, renderDefault(value), about.replaceAll('<', '&lt;')];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function typeWords({ type, items }: ValueSchema): string {
  if (type === 'object') return 'map';
  if (type !== 'array') return type;
  return items?.type === 'string' ? 'list of strings' : 'list of maps';
}

/** Long lists are in `values.yaml`. */
function renderDefault(value: unknown): string {
  const text = JSON.stringify(value);
  if (text === '""') return 'empty';
  return text.length > 100 ? 'see `values.yaml`' : `\`${text}\``;
}
