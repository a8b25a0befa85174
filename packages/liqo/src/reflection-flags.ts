import {
  defaultReflectorSettings,
  parseReflectedResource,
  type ReflectedCustomResource,
  type ReflectedResource,
  type ReflectionSettings,
  reflectedResources,
} from '@liqo/virtual-kubelet';
import { type FlagValues, UsageError } from './flags.ts';

interface ReflectorFlag<T extends 'number' | 'string'> {
  readonly type: T;
  readonly default: string;
  readonly help: string;
}

type ReflectionFlags = Readonly<
  Record<`${ReflectedResource}-reflection-workers`, ReflectorFlag<'number'>> &
    Record<`${ReflectedResource}-reflection-type`, ReflectorFlag<'string'>>
>;

const { workers, policy } = defaultReflectorSettings;

/** Two flags for each resource that is reflected besides pods. */
export const reflectionFlags = Object.fromEntries(
  reflectedResources.flatMap((resource) => [
    [
      `${resource}-reflection-workers`,
      {
        type: 'number',
        default: String(workers),
        help: 'how many are worked on at a time; 0 reflects none',
      },
    ],
    [
      `${resource}-reflection-type`,
      {
        type: 'string',
        default: policy,
        help: 'DenyList, AllowList (only what has the annotation liqo.io/allow-reflection) or Disabled',
      },
    ],
  ]),
) as unknown as ReflectionFlags;

/** Custom resources, which have no reflectors of their own. */
export const customResourceFlags = {
  'reflected-resources': {
    type: 'list',
    help: 'custom resources to reflect, …: as widgets.v1.example.org, with :AllowList for those alone that have the annotation liqo.io/allow-reflection',
  },
} as const;

/** Throws a `UsageError` for a text that names no custom resource. */
export function parseCustomResources(
  command: string,
  texts: readonly string[],
): readonly ReflectedCustomResource[] {
  const parsed = texts.map((text) => {
    const resource = parseReflectedResource(text);
    if (resource) return resource;
    throw new UsageError(
      `Cannot run "liqo ${command}": "--reflected-resources=${text}" names no custom resource, as widgets.v1.example.org does`,
    );
  });
  return [...new Map(parsed.map((one) => [`${one.plural}.${one.group}`, one])).values()];
}

/** Throws a `UsageError` for a type that there is not. */
export function parseReflection(
  command: string,
  values: FlagValues<ReflectionFlags>,
): ReflectionSettings {
  return Object.fromEntries(
    reflectedResources.map((resource) => {
      const flag = `${resource}-reflection-type` as const;
      const type = values[flag];
      const chosen = values[`${resource}-reflection-workers`];
      if (type === 'Disabled') return [resource, { policy, workers: 0 }];
      if (type === 'AllowList' || type === 'DenyList') {
        return [resource, { policy: type, workers: chosen }];
      }
      throw new UsageError(
        `Cannot run "liqo ${command}": "--${flag}=${type}" is not AllowList, DenyList or Disabled`,
      );
    }),
  );
}
