import { ShadowEndpointSlice } from '@liqo/api';
import { EndpointSlice } from '@liqo/kube';
import {
  planShadowEndpointSlice,
  type ReflectedCustomResource,
  reflectedKinds,
  serviceOfSlice,
} from '@liqo/model';
import { startClaimReflector } from './claim-reflector.ts';
import { startCustomResourceReflector } from './custom-resource-reflector.ts';
import { EndpointRelations } from './endpoint-relations.ts';
import { startEventReflector } from './events/event-reflector.ts';
import { ReflectionReport } from './reflection-report.ts';
import {
  type ObjectReflector,
  type Reflector,
  type ReflectorOptions,
  startReflector,
} from './reflector.ts';

/** What every reflector is given. */
type ReflectorTools = Pick<ReflectorOptions<never>, 'context' | 'policy' | 'report' | 'workers'>;
type ReflectorSettings = Pick<ReflectorTools, 'policy' | 'workers'>;

/** The reflectors of objects that belong to no virtual node alone, by their names in flags and in VkOptionsTemplates. */
const reflectors = {
  ...plainReflectors(),
  endpointslice: startEndpointSliceReflector,
  persistentvolumeclaim: startClaimReflector,
} as const satisfies Readonly<Record<string, (tools: ReflectorTools) => ObjectReflector>>;

type PlainResource = keyof typeof reflectedKinds;

function plainReflectors(): Readonly<
  Record<PlainResource, (tools: ReflectorTools) => ObjectReflector>
> {
  const entries = Object.entries(reflectedKinds).map(([resource, { kind, plan, ...others }]) => {
    const start = (tools: ReflectorTools) => startReflector({ ...tools, ...others, kind, plan });
    return [resource, start] as const;
  });
  return Object.fromEntries(entries) as ReturnType<typeof plainReflectors>;
}

function startEndpointSliceReflector(tools: ReflectorTools): ObjectReflector {
  const relations = new EndpointRelations(tools.context);
  return startReflector({
    ...tools,
    kind: EndpointSlice,
    remoteKind: ShadowEndpointSlice,
    plan: planShadowEndpointSlice(relations),
    watchRelated: (namespace, { lookAt }) =>
      relations.watch(namespace, {
        onService: ({ metadata }) => lookAt((slice) => serviceOfSlice(slice) === metadata.name),
        onNodes: () => lookAt(() => true),
      }),
  });
}

type ObjectResource = keyof typeof reflectors;

/** Events go the other way. */
export type ReflectedResource = ObjectResource | 'event';

const objectResources = Object.keys(reflectors) as readonly ObjectResource[];

export const reflectedResources: readonly ReflectedResource[] = [...objectResources, 'event'];

/** Settings of reflectors that are not the default ones. */
export type ReflectionSettings = Readonly<Partial<Record<ReflectedResource, ReflectorSettings>>>;

export const defaultReflectorSettings: ReflectorSettings = { workers: 3, policy: 'DenyList' };

/**
 * One for each kind, none for a kind without workers, and one for each custom resource. What they report of is the first of
 * them: it knows a namespace before the others do.
 */
export function startReflectors(
  context: ReflectorTools['context'],
  settings: ReflectionSettings,
  customResources: readonly ReflectedCustomResource[],
): readonly Reflector[] {
  const report = new ReflectionReport(context);
  const { workers } = defaultReflectorSettings;
  const custom = customResources.map((resource) =>
    startCustomResourceReflector({ context, report, resource, workers }),
  );
  return [report, ...startObjectReflectors(context, settings, report), ...custom];
}

function startObjectReflectors(
  context: ReflectorTools['context'],
  settings: ReflectionSettings,
  report: ReflectionReport,
): readonly Reflector[] {
  const toolsOf = (resource: ReflectedResource): ReflectorTools => ({
    ...settingsOf(resource, settings),
    context,
    report,
  });
  const originals = objectResources.flatMap((resource) => {
    const tools = toolsOf(resource);
    return tools.workers > 0 ? [reflectors[resource](tools)] : [];
  });
  const tools = toolsOf('event');
  return tools.workers > 0
    ? [...originals, startEventReflector({ ...tools, originals })]
    : originals;
}

/** Endpoints follow their Service: where Services are reflected only if they say so, endpoints are too. */
function settingsOf(resource: ReflectedResource, settings: ReflectionSettings): ReflectorSettings {
  const chosen = settings[resource] ?? defaultReflectorSettings;
  const isOfService = resource === 'endpointslice' && settings.service?.policy === 'AllowList';
  return isOfService ? { ...chosen, policy: 'AllowList' } : chosen;
}
