import { type FieldProblem, invalid } from '../../resources/validation/field-problem.ts';

export type Level = 'privileged' | 'baseline' | 'restricted';

/** A level as of a minor version of Kubernetes, or as of the newest. */
export interface LevelVersion {
  readonly level: Level;
  readonly version: number | 'latest';
}

export interface Policy {
  readonly enforce: LevelVersion;
  readonly audit: LevelVersion;
  readonly warn: LevelVersion;
}

const levels: readonly Level[] = ['privileged', 'baseline', 'restricted'];
const prefix = 'pod-security.kubernetes.io/';

type Labels = Readonly<Record<string, string>>;

/**
 * What the labels of a namespace ask for, and what is wrong with them. A level that means nothing is enforced as the
 * strictest one, but not warned of.
 */
export function readPolicy(labels: Labels = {}): {
  readonly policy: Policy;
  readonly problems: readonly FieldProblem[];
} {
  const problems: FieldProblem[] = [];
  const read = (mode: keyof Policy, fallback: Level): LevelVersion => ({
    level: readLevel(labels, mode, fallback, problems),
    version: readVersion(labels, `${mode}-version`, problems),
  });
  const enforce = read('enforce', 'restricted');
  const audit = read('audit', 'privileged');
  const warn = read('warn', 'privileged');
  return { policy: { enforce, audit, warn: warnAtLeast(labels, enforce, warn) }, problems };
}

/** Who enforces a level warns of it too (templates of pods), unless another one is asked for. */
function warnAtLeast(labels: Labels, enforce: LevelVersion, warn: LevelVersion): LevelVersion {
  const isEnforced = levels.includes(labels[`${prefix}enforce`] as Level);
  if (`${prefix}warn` in labels || !isEnforced || enforce.level === 'privileged') return warn;
  const hasVersion = `${prefix}warn-version` in labels;
  return { level: enforce.level, version: hasVersion ? warn.version : enforce.version };
}

function readLevel(labels: Labels, mode: string, fallback: Level, problems: FieldProblem[]): Level {
  const value = labels[prefix + mode];
  if (value === undefined) return 'privileged';
  if (levels.includes(value as Level)) return value as Level;
  problems.push(invalid(fieldOf(mode), value, `must be one of ${levels.join(', ')}`));
  return fallback;
}

function readVersion(
  labels: Labels,
  mode: string,
  problems: FieldProblem[],
): LevelVersion['version'] {
  const value = labels[prefix + mode] ?? 'latest';
  if (value === 'latest') return value;
  const minor = /^v1\.(0|[1-9][0-9]*)$/.exec(value)?.[1];
  if (minor !== undefined) return Number(minor);
  problems.push(invalid(fieldOf(mode), value, 'must be "latest" or "v1.x"'));
  return 'latest';
}

function fieldOf(mode: string): string {
  return `metadata.labels[${prefix}${mode}]`;
}

/** Positive when `a` is the stricter one. */
export function compareLevels(a: Level, b: Level): number {
  return levels.indexOf(a) - levels.indexOf(b);
}

export function isSamePolicy(a: LevelVersion, b: LevelVersion): boolean {
  return a.level === b.level && a.version === b.version;
}

/** `restricted:latest`, `baseline:v1.29`. */
export function printPolicy({ level, version }: LevelVersion): string {
  return `${level}:${version === 'latest' ? version : `v1.${version}`}`;
}
