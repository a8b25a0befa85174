/** Newer and stabler first: `v2`, `v1`, `v2beta1`, `v1beta2`, `v1alpha1`, then whatever is no version, by name. */
export function compareVersions(a: string, b: string): number {
  const [one, other] = [read(a), read(b)];
  if (!one || !other) {
    if (one || other) return one ? -1 : 1;
    return a < b ? -1 : a > b ? 1 : 0;
  }
  return other.stability - one.stability || other.major - one.major || other.minor - one.minor;
}

interface ReadVersion {
  readonly stability: number;
  readonly major: number;
  readonly minor: number;
}

const stages = ['alpha', 'beta', ''];

function read(version: string): ReadVersion | undefined {
  const [, major, stage = '', minor = '0'] =
    /^v([1-9][0-9]*)(?:(alpha|beta)([1-9][0-9]*))?$/.exec(version) ?? [];
  if (major === undefined) return undefined;
  return { stability: stages.indexOf(stage), major: Number(major), minor: Number(minor) };
}
