import { Placeholder, parsePattern } from './placeholder.ts';
import { ExtendedMap } from './with-extra.ts';

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
  return [`${pad}${head}`, ...renderBlock(value, indent + 2)];
}

function renderBlock(value: unknown, indent: number): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item) => renderItem(item, indent));
  if (!(value instanceof ExtendedMap)) return renderMap(value as object, indent);
  const { own } = value;
  return [...renderMap(own, indent), ...renderMore(extraOf(value), indent)];
}

/** The keys of the value that the map does not have itself: YAML takes no key twice. */
function extraOf({ own, extra }: ExtendedMap): string {
  const keys = Object.keys(own).map((key) => JSON.stringify(key));
  return keys.length === 0 ? extra.expression : `(omit ${extra.expression} ${keys.join(' ')})`;
}

/** Entries of a value, which may be none, behind others. */
function renderMore(expression: string, indent: number): readonly string[] {
  const pad = ' '.repeat(indent);
  const lines = [`{{- with ${expression} }}`, `{{- toYaml . | nindent ${indent} }}`, '{{- end }}'];
  return lines.map((line) => `${pad}${line}`);
}

/** The first line of an item stands beside its dash. */
function renderItem(item: unknown, indent: number): readonly string[] {
  const pad = ' '.repeat(indent);
  if (item instanceof Placeholder && item.type === 'array') {
    return renderMore(item.expression, indent);
  }
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
  if (value instanceof ExtendedMap) return renderOnlyExtra(value, indent);
  if (typeof value !== 'object' || value === null) return String(value);
  if (!Array.isArray(value)) return Object.keys(value).length === 0 ? '{}' : undefined;
  const [only] = value;
  const isWhole = value.length === 1 && only instanceof Placeholder && only.type === 'array';
  return isWhole ? renderPlaceholder(only, indent) : renderShortList(value, indent);
}

/** Undefined when it has keys of its own. */
function renderOnlyExtra({ own, extra }: ExtendedMap, indent: number): string | undefined {
  return Object.keys(own).length === 0 ? renderPlaceholder(extra, indent) : undefined;
}

/** Words that fit in one line; undefined for any other list. */
function renderShortList(items: readonly unknown[], indent: number): string | undefined {
  const words = items.filter((item) => typeof item === 'string' && !parsePattern(item)) as string[];
  const line = `[${words.map(renderText).join(', ')}]`;
  return words.length === items.length && line.length + indent < 100 ? line : undefined;
}

function renderPlaceholder(placeholder: Placeholder, indent: number): string {
  const { expression, type, isComposite } = placeholder;
  if (isComposite) return `{{- toYaml ${expression} | nindent ${indent} }}`;
  return type === 'string' ? `{{ ${expression} | quote }}` : `{{ ${placeholder.scalar} }}`;
}

function renderText(text: string): string {
  const pattern = parsePattern(text);
  if (pattern) {
    const format = JSON.stringify(pattern.format);
    return `{{ printf ${[format, ...pattern.expressions].join(' ')} | quote }}`;
  }
  if (text.includes('{{')) return renderLiteral(text);
  return isPlain(text) ? text : JSON.stringify(text);
}

/** A text that Helm would take for its own, as it is. */
function renderLiteral(text: string): string {
  if (text.includes('`')) throw new Error(`Cannot render "${text}": it has both "{{" and "\`"`);
  return `{{ \`${text}\` | quote }}`;
}

/** Words that every reader of YAML takes for strings. */
function isPlain(text: unknown): text is string {
  const isWord = typeof text === 'string' && /^[a-z/][\w./-]*$/i.test(text);
  return isWord && !/^(true|false|null|yes|no|on|off|y|n)$/i.test(text);
}
