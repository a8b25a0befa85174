/** What no two clusters have in common, though they agree; replaced in this order. */
const masks: readonly (readonly [pattern: RegExp, mask: string])[] = [
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<token>'],
  [/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '<uid>'],
  [/\b[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d [+-]\d{4}/g, '<time>'],
  [/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z| [+-]\d{4})?/g, '<time>'],
  [/(X509SHA256=)[0-9a-f]{64}/g, '$1<hash>'],
  [/("?resourceVersion"?: )"?\d+"?/g, '$1<version>'],
  [/(Resource Version: +)\d+/g, '$1<version>'],
  [/https:\/\/127\.0\.0\.1:\d+/g, '<server>'],
  [/\b(10|127)(\.\d+){3}\b/g, '<ip>'],
  [/\/tmp\/(LIVE|MERGED)-\d+/g, '/tmp/$1'],
  // What follows a hyphen is a name, however it reads.
  [/(?<!-)\b(\d+(\.\d+)?(d|h|m|s|ms|µs))+\b/g, '<duration>'],
  [/<duration> \(x\d+ over <duration>\)/g, '<duration>'],
  // Names that a server makes up are written in letters that make no words.
  [/-[bcdfghjklmnpqrstvwxz2456789]{8,10}\b/g, '-<hash>'],
  [/-[bcdfghjklmnpqrstvwxz2456789]{5}\b/g, '-<random>'],
  [/(pod-template-hash"?[=:] ?"?)[bcdfghjklmnpqrstvwxz2456789]{8,10}\b/g, '$1<hash>'],
  // Columns are as wide as what was masked.
  [/(?<=\S)[ \t]{2,}/g, '  '],
  [/[ \t]+$/gm, ''],
  // How often a scheduler tries again in the meantime is a matter of chance.
  [/^(.*FailedScheduling.*\n)\1+/gm, '$1'],
];

/** The output of kubectl without what differs from cluster to cluster and from moment to moment. */
export function maskOutput(output: string): string {
  return masks.reduce((text, [pattern, mask]) => text.replaceAll(pattern, mask), output);
}
