import type { Pod, Stored } from '@liqo/kube';
import type { Container, EnvFromSource, EnvVar } from 'kubernetes-types/core/v1.d.ts';
import { fieldOf, type PodPlace, resourceFieldOf } from './downward-api.ts';
import type { PodSources, Texts } from './pod-sources.ts';

/** An environment that is not to be had, or not yet. The kubelet calls it `CreateContainerConfigError`. */
class EnvironmentError extends Error {
  override readonly name = 'EnvironmentError';
}

export interface EnvironmentInput {
  readonly pod: Stored<Pod>;
  readonly container: Container;
  readonly place: PodPlace;
  readonly sources: PodSources;
  /** What every container gets: where the API server is. */
  readonly common: Readonly<Record<string, string>>;
}

/** The variables of a container; later ones may refer to earlier ones. */
export async function resolveEnvironment(
  input: EnvironmentInput,
): Promise<Readonly<Record<string, string>>> {
  const env: Record<string, string> = { HOSTNAME: input.pod.metadata.name, ...input.common };
  for (const source of input.container.envFrom ?? [])
    Object.assign(env, await allOf(input, source));
  for (const variable of input.container.env ?? []) {
    const value = await readVariable(input, variable, env);
    if (value !== undefined) env[variable.name] = value;
  }
  return env;
}

/** `$(NAME)` is the value of a variable, `$$(NAME)` is itself, unknown names stay as they are. */
export function expandVariables(text: string, env: Readonly<Record<string, string>>): string {
  return text.replace(/\$\$|\$\(([^)]*)\)/g, (found, name: string | undefined) => {
    if (found === '$$') return '$';
    return (name === undefined ? undefined : env[name]) ?? found;
  });
}

async function allOf(input: EnvironmentInput, source: EnvFromSource) {
  const ref = source.configMapRef ?? source.secretRef;
  const kind = source.configMapRef ? 'configmap' : 'secret';
  const texts = await readTexts(input.sources, kind, ref?.name ?? '');
  if (!texts && !ref?.optional) throw new EnvironmentError(`${kind} "${ref?.name}" not found`);
  const entries = [...(texts ?? [])].map(([key, text]) => [`${source.prefix ?? ''}${key}`, text]);
  return Object.fromEntries(entries);
}

async function readVariable(
  input: EnvironmentInput,
  { value, valueFrom }: EnvVar,
  env: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  if (!valueFrom) return expandVariables(value ?? '', env);
  const { configMapKeyRef, secretKeyRef, fieldRef, resourceFieldRef } = valueFrom;
  if (configMapKeyRef) return keyOf(input, 'configmap', configMapKeyRef);
  if (secretKeyRef) return keyOf(input, 'secret', secretKeyRef);
  if (fieldRef) return fieldOf(input.pod, fieldRef.fieldPath, input.place);
  return resourceFieldRef ? resourceFieldOf(input.container, resourceFieldRef) : '';
}

interface KeyRef {
  readonly name?: string | undefined;
  readonly key: string;
  readonly optional?: boolean | undefined;
}

async function keyOf(
  { sources, pod }: EnvironmentInput,
  kind: 'configmap' | 'secret',
  { name = '', key, optional }: KeyRef,
): Promise<string | undefined> {
  const texts = await readTexts(sources, kind, name);
  const text = texts?.get(key);
  if (text !== undefined || optional) return text;
  if (!texts) throw new EnvironmentError(`${kind} "${name}" not found`);
  const kindName = kind === 'configmap' ? 'ConfigMap' : 'Secret';
  const where = `${kindName} ${pod.metadata.namespace}/${name}`;
  throw new EnvironmentError(`couldn't find key ${key} in ${where}`);
}

function readTexts(
  sources: PodSources,
  kind: 'configmap' | 'secret',
  name: string,
): Promise<Texts | undefined> {
  return kind === 'configmap' ? sources.configMap(name) : sources.secret(name);
}
