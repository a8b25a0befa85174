import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** A fenced block of a page. */
export interface Block {
  readonly language: string;
  readonly text: string;
  /** Of its first line, for whoever looks for it. */
  readonly line: number;
}

/** Every page whose commands somebody may follow, by its path from the root. */
export function listPages(): readonly string[] {
  const folders = ['docs/guides', 'docs/kinds'];
  const pages = folders.flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  );
  return ['README.md', ...pages.toSorted()];
}

export function readPage(page: string): string {
  return readFileSync(join(root, page), 'utf8');
}

export function readBlocks(markdown: string): readonly Block[] {
  const fences = markdown.matchAll(/^```(\w*)\n(.*?)^```$/gms);
  return Array.from(fences, ({ 1: language = '', 2: text = '', index }) => ({
    language,
    text,
    line: markdown.slice(0, index).split('\n').length + 1,
  }));
}
