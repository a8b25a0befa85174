/** The limit of Kubernetes for the note of an Event; conditions and log lines keep to it as well. */
const maxMessageBytes = 1024;

/**
 * Text of another party as one line of at most `maxBytes`, for Events, conditions and terminals: control and formatting
 * characters (escape sequences, line breaks, bidirectional overrides) become spaces.
 */
export function oneLine(text: string, maxBytes: number = maxMessageBytes): string {
  const head = text.slice(0, readAhead(maxBytes));
  return truncateText(wellFormed(head).replaceAll(controls, ' ').trim(), maxBytes);
}

/** The same with its line breaks and tabs, for messages of containers. */
export function safeText(text: string, maxBytes: number = maxMessageBytes): string {
  const head = text.slice(0, readAhead(maxBytes));
  return truncateText(wellFormed(head).replaceAll(controlsInLine, ' '), maxBytes);
}

/** Cuts between characters, and marks the cut. */
export function truncateText(text: string, maxBytes: number): string {
  if (text.length * maxBytesPerUnit <= maxBytes) return text;
  // A UTF-16 code unit takes at least one byte.
  const bytes = encoder.encode(text.slice(0, maxBytes + 1));
  if (text.length <= maxBytes && bytes.length <= maxBytes) return text;
  const cut = decoder.decode(bytes.subarray(0, maxBytes - markBytes)).replace(/\uFFFD+$/, '');
  return `${cut}${mark}`;
}

const mark = '…';
const markBytes = 3;
const maxBytesPerUnit = 3;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

const controls = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;
const controlsInLine = /(?:(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}])+/gu;

/** Runs of control characters become one space, so that more than the limit has to be read; megabytes need not be. */
function readAhead(maxBytes: number): number {
  return 4 * maxBytes;
}

/** A lone surrogate cannot be encoded: a server stores another character, and the text would never equal what is stored. */
function wellFormed(text: string): string {
  return text.replaceAll(/\p{Cs}/gu, '\uFFFD');
}
