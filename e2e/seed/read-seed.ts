import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** How a page tells the same thing twice: for people with liqoctl, and for people with kubectl. */
export type Tab = 'YAML' | 'liqoctl';

/** A block of a page that is typed, applied, or shown as an answer. */
export interface SeedBlock {
  /** The headings above it, from the outermost. */
  readonly section: string;
  /** Undefined outside of tabs. */
  readonly tab: Tab | undefined;
  readonly language: 'bash' | 'text' | 'yaml';
  readonly cluster: 'consumer' | 'provider';
  readonly text: string;
  /** Of its first line. */
  readonly line: number;
}

interface Fence {
  readonly ticks: string;
  readonly info: string;
}

const folder = join(import.meta.dirname, '../seeds');
const languages = ['bash', 'text', 'yaml'] as const;

export function readSeed(name: string): string {
  return readFileSync(join(folder, name), 'utf8');
}

/** The blocks of a MyST page, in order: directives for tabs enclose them, and captions name the cluster. */
export function readSeedBlocks(markdown: string): readonly SeedBlock[] {
  const blocks: SeedBlock[] = [];
  const headings: string[] = [];
  const fences: Fence[] = [];
  let content: string[] = [];
  for (const [index, line] of markdown.split('\n').entries()) {
    const fence = /^(`{3,})(.*)$/.exec(line);
    const open = fences.at(-1);
    if (!fence) {
      if (fences.length === 0) noteHeading(headings, line);
      content.push(line);
      continue;
    }
    const [, ticks = '', info = ''] = fence;
    if (open?.ticks !== ticks || info !== '') {
      fences.push({ ticks, info });
      content = [];
      continue;
    }
    const block = toBlock(fences, content);
    const section = headings.filter((heading) => heading !== '').join(' / ');
    if (block) blocks.push({ section, ...block, line: index - content.length + 1 });
    fences.pop();
    content = [];
  }
  return blocks;
}

function noteHeading(headings: string[], line: string): void {
  const [, marks = '', title = ''] = /^(#{2,}) (.*)$/.exec(line) ?? [];
  if (marks === '') return;
  headings.length = marks.length - 2;
  headings.push(title);
}

function toBlock(
  fences: readonly Fence[],
  content: readonly string[],
): Omit<SeedBlock, 'line' | 'section'> | undefined {
  const language = fences.at(-1)?.info.replace('{code-block} ', '');
  const known = languages.find((one) => one === language);
  if (!known) return undefined;
  const item = fences.find(({ info }) => info.startsWith('{tab-item} '))?.info.slice(11);
  const caption = content.find((line) => line.startsWith(':caption:')) ?? '';
  const text = content.filter((line) => !line.startsWith(':caption:')).join('\n');
  return {
    tab: item === 'YAML' || item === 'liqoctl' ? item : undefined,
    language: known,
    cluster: caption.includes('provider') ? 'provider' : 'consumer',
    text,
  };
}
