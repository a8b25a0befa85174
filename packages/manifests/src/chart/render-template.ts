import { Placeholder, parsePattern } from './placeholder.ts';

/** The object as YAML, in which Helm puts values where the placeholders are. */
export function renderTemplate(object: object): string {
  return `${renderMap(object, 0).join('\n')}\n`;
}

type Entries = readonly (readonly [string, unknown])[];

function renderMap(object: object, indent: number): readonly string[] {
  const entries: Entries = Object.entries(object).filter(([, value]) => value !== undefined);
  return entries.flatMap(([key, value]) => renderEntry(`${renderText(key)}:`, value, indent));
}

/** What comes after a key or a dash. */
function renderEntry(head: string, value: unknown, indent: number): readonly string[] {
  const pad = ' '.repeat(indent);
  const inline = renderInline(value, indent + 2);
  if (inline !== undefined) return [`${pad}${head} ${inline}`];
  const lines = Array.isArray(value)
    ? value.flatMap((item) => renderItem(item, indent + 2))
    : renderMap(value as object, indent + 2);
  return [`${pad}${head}`, ...lines];
}

/** The first line of an item stands beside its dash. */
function renderItem(item: unknown, indent: number): readonly string[] {
  const pad = ' '.repeat(indent);
  const inline = renderInline(item, indent + 2);
  if (inline !== undefined) return [`${pad}- ${inline}`];
  if (Array.isArray(item)) throw new Error('Cannot render a list of lists: no manifest has one');
  const [first = '', ...rest] = renderMap(item as object, indent + 2);
  return [`${pad}- ${first.trimStart()}`, ...rest];
}

/** Undefined for what needs lines of its own. */
function renderInline(value: unknown, indent: number): string | undefined {
  if (value instanceof Placeholder) return renderPlaceholder(value, indent);
  if (typeof value === 'string') return renderText(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (!Array.isArray(value)) return Object.keys(value).length === 0 ? '{}' : undefined;
  const [only] = value;
  if (only instanceof Placeholder && only.type === 'array') return renderPlaceholder(only, indent);
  return renderShortList(value, indent);
}

/** Words that fit in one line; undefined for any other list. */
function renderShortList(items: readonly unknown[], indent: number): string | undefined {
  const words = items.filter((item) => typeof item === 'string' && !parsePattern(item)) as string[];
  const line = `[${words.map(renderText).join(', ')}]`;
  return words.length === items.length && line.length + indent < 100 ? line : undefined;
}

function renderPlaceholder({ scalar, expression, type }: Placeholder, indent: number): string {
  if (type === 'array') return `{{- toYaml ${expression} | nindent ${indent} }}`;
  return type === 'string' ? `{{ ${scalar} | quote }}` : `{{ ${scalar} }}`;
}

function renderText(text: string): string {
  const pattern = parsePattern(text);
  if (pattern) {
    const format = JSON.stringify(pattern.format);
    return `{{ printf ${[format, ...pattern.expressions].join(' ')} | quote }}`;
  }
  if (text.includes('{{'))
    throw new Error(`Cannot render "${text}": Helm would take it for its own`);
  return isPlain(text) ? text : JSON.stringify(text);
}

/** Words that every reader of YAML takes for strings. */
function isPlain(text: unknown): text is string {
  const isWord = typeof text === 'string' && /^[a-z/][\w./-]*$/i.test(text);
  return isWord && !/^(true|false|null|yes|no|on|off|y|n)$/i.test(text);
}
