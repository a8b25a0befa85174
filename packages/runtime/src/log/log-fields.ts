import { ApiError, safeText } from '@liqo/kube';

export type LogFields = Readonly<Record<string, unknown>>;

export interface FieldOptions {
  /** Whether errors come with their stacks. */
  readonly stacks: boolean;
}

const hidden = '[redacted]';
const deepest = 8;
const mostItems = 100;
const maxStackBytes = 8 * 1024;

/**
 * Fields as they may be written: plain JSON, errors spelled out with their causes, and without what is obviously a
 * secret. Texts have 1 KiB at most and no characters that control a terminal: some come from peers. This is a safety net under the rule that nobody logs a secret, not a licence to log whole objects.
 */
export function printableFields(fields: LogFields, options: FieldOptions): LogFields {
  const members = Object.entries(fields).map(([key, value]) => {
    const name = reservedKeys.has(key) ? `${key}_` : key;
    return [name, printableMember(key, value, options, 0)] as const;
  });
  return Object.fromEntries(members);
}

/** Keys of the line itself: a field of the same name would make two of them. */
const reservedKeys = new Set(['ts', 'level', 'logger', 'msg']);

/** Names whose end says that the value is a credential, in any spelling: `client-key-data`, `accessToken`. */
const secretName =
  /(token|password|passphrase|authorization|kubeconfig|privatekey|keydata|apikey|credentials|cookie)$/;

function isSecretName(key: string): boolean {
  return secretName.test(key.replaceAll(/[^a-zA-Z]/g, '').toLowerCase());
}

function printableMember(
  key: string,
  value: unknown,
  options: FieldOptions,
  depth: number,
): unknown {
  const saysNothing = value === null || value === undefined || typeof value === 'boolean';
  return isSecretName(key) && !saysNothing ? hidden : printable(value, options, depth);
}

function printable(value: unknown, options: FieldOptions, depth: number): unknown {
  if (typeof value === 'string') return printableText(value);
  if (typeof value === 'bigint' || typeof value === 'symbol') return String(value);
  if (typeof value === 'function') return undefined;
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= deepest) return '[…]';
  if (value instanceof Error) return printableError(value, options, depth);
  if (value instanceof Date) return value.toISOString();
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) return printableItems(value, options, depth);
  return printableObject(value, options, depth);
}

function printableItems(items: readonly unknown[], options: FieldOptions, depth: number): unknown {
  const shown = items.slice(0, mostItems).map((item) => printable(item, options, depth + 1));
  const left = items.length - shown.length;
  return left > 0 ? [...shown, `… ${left} more`] : shown;
}

function printableObject(value: object, options: FieldOptions, depth: number): object {
  const isSecret = 'kind' in value && value.kind === 'Secret';
  const members = Object.entries(value).map(([key, member]) => {
    const withheld = isSecret && (key === 'data' || key === 'stringData');
    return [key, withheld ? hidden : printableMember(key, member, options, depth + 1)];
  });
  return Object.fromEntries(members);
}

function printableError(error: Error, options: FieldOptions, depth: number): object {
  const { name, cause, stack } = error;
  const related = error instanceof AggregateError ? error.errors : undefined;
  return {
    name,
    message: printableText(error.message),
    ...(error instanceof ApiError && { code: error.code, reason: printableText(error.reason) }),
    ...('code' in error && typeof error.code === 'string' && { code: error.code }),
    ...(options.stacks && stack && { stack: printableText(stack, maxStackBytes) }),
    ...(related && { errors: related.map((one) => printable(one, options, depth + 1)) }),
    ...(cause !== undefined && { cause: printable(cause, options, depth + 1) }),
  };
}

function printableText(text: string, maxBytes?: number): string {
  return safeText(withoutCredentials(text), maxBytes);
}

function withoutCredentials(text: string): string {
  return text
    .replaceAll(/\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/g, `$1 ${hidden}`)
    .replaceAll(/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(-----END [A-Z ]+-----|$)/g, hidden);
}
