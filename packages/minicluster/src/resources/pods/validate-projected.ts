import type {
  KeyToPath,
  ProjectedVolumeSource,
  ServiceAccountTokenProjection,
  VolumeProjection,
} from 'kubernetes-types/core/v1.d.ts';
import { type FieldProblem, forbidden, invalid, required } from '../validation/field-problem.ts';
import { unreservedPath } from '../validation/paths.ts';
import { validateDownwardFile, validateKeyToPath, validateMode } from './validate-files.ts';

export function validateProjected(field: string, volume: ProjectedVolumeSource): FieldProblem[] {
  const paths = new PathsInUse(field);
  const sources = volume.sources ?? [];
  return [
    ...validateMode(`${field}.defaultMode`, volume.defaultMode),
    ...sources.flatMap((source, i) => validateProjection(field, i, source, paths)),
  ];
}

/** Every file of a projected volume comes from one place. */
class PathsInUse {
  readonly #paths = new Set<string>();
  readonly #field: string;

  constructor(field: string) {
    this.#field = field;
  }

  take(path: string, blamed: string | undefined): FieldProblem[] {
    if (!path) return [];
    if (this.#paths.has(path)) return [invalid(this.#field, blamed, 'conflicting duplicate paths')];
    this.#paths.add(path);
    return [];
  }
}

const projectionTypes: readonly string[] = [
  'secret',
  'configMap',
  'downwardAPI',
  'serviceAccountToken',
  'clusterTrustBundle',
  'podCertificate',
];

function validateProjection(
  field: string,
  index: number,
  source: VolumeProjection,
  paths: PathsInUse,
): FieldProblem[] {
  const at = `${field}.sources[${index}]`;
  const { secret, configMap, downwardAPI, serviceAccountToken } = source;
  const problems: FieldProblem[] = [];
  if (secret) problems.push(...validateItems(`${at}.secret`, secret.name, secret.items, paths));
  if (configMap) {
    problems.push(...validateItems(`${at}.configMap`, configMap.name, configMap.items, paths));
  }
  for (const file of downwardAPI?.items ?? []) {
    problems.push(...validateDownwardFile(`${at}.downwardAPI`, file));
    problems.push(...paths.take(file.path, file.path));
  }
  if (serviceAccountToken) problems.push(...validateToken(field, at, serviceAccountToken));
  const types = projectionTypes.filter((type) => Object.hasOwn(source, type));
  if (types.length <= 1) return problems;
  return [...problems, forbidden(at, 'may not specify more than 1 volume type per source')];
}

function validateItems(
  field: string,
  name: string | undefined,
  items: readonly KeyToPath[] | undefined,
  paths: PathsInUse,
): FieldProblem[] {
  const nameProblems = name ? [] : [required(`${field}.name`)];
  const itemProblems = (items ?? []).flatMap((item, i) => [
    ...validateKeyToPath(`${field}.items[${i}]`, item),
    ...paths.take(item.path, name),
  ]);
  return [...nameProblems, ...itemProblems];
}

const tenMinutes = 600;

function validateToken(
  volume: string,
  source: string,
  token: ServiceAccountTokenProjection,
): FieldProblem[] {
  const field = `${source}.serviceAccountToken.expirationSeconds`;
  const { expirationSeconds = tenMinutes, path } = token;
  const problems: FieldProblem[] = [];
  if (expirationSeconds < tenMinutes) {
    const rule = 'may not specify a duration less than 10 minutes';
    problems.push(invalid(field, expirationSeconds, rule));
  }
  if (expirationSeconds > 2 ** 32) {
    const rule = 'may not specify a duration larger than 2^32 seconds';
    problems.push(invalid(field, expirationSeconds, rule));
  }
  return [
    ...problems,
    ...(path ? unreservedPath(`${volume}.path`, path) : [required(`${volume}.path`)]),
  ];
}
