import { ownMember } from '@liqo/kube';
import { defaultValues } from '../values.ts';
import { renderTemplate } from './render-template.ts';
import { isSection, type Section, valueGuide } from './value-guide.ts';

const lineWidth = 110;

/** `values.yaml`: every value with what it means. */
export function renderValues(): string {
  const defaults = { clusterID: '', ...defaultValues };
  return `${renderSection(valueGuide, defaults, '').join('\n').trim()}\n`;
}

function renderSection(
  { values }: Section,
  defaults: Readonly<Record<string, unknown>>,
  pad: string,
): readonly string[] {
  return Object.entries(values).flatMap(([key, guide]) => {
    const value = ownMember(defaults, key);
    const about = wrap(guide.about, lineWidth - pad.length).map((line) => `${pad}# ${line}`);
    if (!isSection(guide)) {
      const lines = renderTemplate({ [key]: value })
        .trim()
        .split('\n');
      return [...about, ...lines.map((line) => `${pad}${line}`), ''];
    }
    const below = renderSection(guide, value as Readonly<Record<string, unknown>>, `${pad}  `);
    return [...about, `${pad}${key}:`, ...below];
  });
}

function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < width)
      lines.splice(-1, 1, `${last} ${word}`);
    else lines.push(word);
  }
  return lines;
}
