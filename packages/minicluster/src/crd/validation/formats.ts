import { isIP, isIPv6 } from 'node:net';
import { DurationError } from '@liqo/kube';
import { readCidr } from '../../resources/validation/addresses.ts';
import { parseDurationFormat } from '../duration-format.ts';

type Check = (text: string) => boolean;

const shortName = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';

/** By name without hyphens: `date-time` and `datetime` are the same. */
const checks: ReadonlyMap<string, Check> = new Map<string, Check>([
  [
    'byte',
    matching(
      /^(?:[A-Za-z0-9+/]{4})+$|^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)$/,
    ),
  ],
  ['date', isDate],
  ['datetime', isDateTime],
  ['duration', isDuration],
  ['email', matching(/^(?:[^<>]*<)?[^\s@<>"(),:;]+@[^\s@<>"(),:;]+>?$/)],
  ['hexcolor', matching(/^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/)],
  ['hostname', isHostname],
  ['ipv4', (text) => text.includes('.') && isAddress(text)],
  ['ipv6', (text) => text.includes(':') && isAddress(text)],
  ['cidr', (text) => readCidr(text) !== undefined],
  ['mac', isMac],
  ['password', () => true],
  ['uri', isUri],
  ['uuid', matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i)],
  ['uuid3', matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i)],
  ['uuid4', matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i)],
  ['uuid5', matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i)],
  ['k8sshortname', (text) => text.length <= 63 && new RegExp(`^${shortName}$`).test(text)],
  [
    'k8slongname',
    (text) => text.length <= 253 && new RegExp(`^${shortName}(\\.${shortName})*$`).test(text),
  ],
]);

export function isKnownFormat(format: string): boolean {
  return checks.has(plain(format));
}

/** Whether the text has the format; any text has one that is not known. */
export function hasFormat(format: string, text: string): boolean {
  return checks.get(plain(format))?.(text) ?? true;
}

function plain(format: string): string {
  return format.replaceAll('-', '');
}

function matching(pattern: RegExp): Check {
  return (text) => pattern.test(text);
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const ms = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}

/** RFC 3339, with small letters allowed; the offset may be any two pairs of digits. */
function isDateTime(text: string): boolean {
  const [date = '', time = ''] = text.toLowerCase().split('t');
  const [, hours, minutes, seconds] =
    /^(\d{2}):(\d{2}):(\d{2})(?:.\d+)?(?:z|[+-]\d{2}:\d{2})$/.exec(time) ?? [];
  if (!isDate(date) || hours === undefined) return false;
  return Number(hours) <= 23 && Number(minutes) <= 59 && Number(seconds) <= 59;
}

function isDuration(text: string): boolean {
  try {
    parseDurationFormat(text);
    return true;
  } catch (error) {
    if (error instanceof DurationError) return false;
    throw error;
  }
}

function isHostname(text: string): boolean {
  const word = '[a-zA-Z0-9\\p{S}\\p{L}]';
  const inner = '[a-zA-Z0-9\\-\\p{S}\\p{L}]';
  const single = `${word}(?:-?${word}{0,62})?`;
  const dotted = `(?:${word}(?:${inner}{0,61}${word})?\\.)+[a-zA-Z\\p{L}]{2,63}`;
  if (!new RegExp(`^(?:${single}|${dotted})$`, 'u').test(text) || text.length > 255) return false;
  return text.split('.').every((part) => part.length <= 63);
}

/** Leading zeros pass in IPv4; zones do not. */
function isAddress(text: string): boolean {
  if (isIPv6(text)) return !text.includes('%');
  return isIP(text.replaceAll(/(^|\.)0+(?=\d)/g, '$1')) === 4;
}

function isMac(text: string): boolean {
  const pairs = (separator: string, count: number) =>
    new RegExp(`^[0-9a-f]{2}(?:${separator}[0-9a-f]{2}){${count - 1}}$`, 'i').test(text);
  const quads = (count: number) =>
    new RegExp(`^[0-9a-f]{4}(?:\\.[0-9a-f]{4}){${count - 1}}$`, 'i').test(text);
  const bytes = [6, 8, 20];
  return bytes.some((count) => pairs(':', count) || pairs('-', count) || quads(count / 2));
}

/** An absolute URI or an absolute path, as of an HTTP request. */
function isUri(text: string): boolean {
  if (text === '' || /[\s\p{Cc}]/u.test(text) || /%(?![0-9a-f]{2})/i.test(text)) return false;
  if (text.startsWith('/')) return true;
  const [, rest] = /^[a-z][a-z0-9+.-]*:(.*)$/i.exec(text) ?? [];
  if (rest === undefined) return false;
  const authority = /^\/\/([^/?#]*)/.exec(rest)?.[1] ?? '';
  return authority.includes('[') === authority.includes(']');
}
