import { ShadowEndpointSlice } from '@liqo/api';
import { ConfigMap, EndpointSlice, Ingress, Secret, Service } from '@liqo/kube';
import {
  configMapNames,
  planConfigMap,
  planIngress,
  planSecret,
  planService,
  planShadowEndpointSlice,
  serviceOfSlice,
  withoutTokenData,
} from '@liqo/model';
import { EndpointRelations } from './endpoint-relations.ts';
import { type Reflector, type ReflectorOptions, startReflector } from './reflector.ts';

/** What every reflector is given. */
type ReflectorTools = Pick<ReflectorOptions<never>, 'context' | 'policy' | 'workers'>;
type ReflectorSettings = Pick<ReflectorTools, 'policy' | 'workers'>;

/** The reflectors of objects that belong to no virtual node alone, by their names in flags and in VkOptionsTemplates. */
const reflectors = {
  configmap: (tools: ReflectorTools) =>
    startReflector({ ...tools, kind: ConfigMap, plan: planConfigMap, names: configMapNames }),
  secret: (tools: ReflectorTools) =>
    startReflector({ ...tools, kind: Secret, plan: planSecret, readLocal: withoutTokenData }),
  service: (tools: ReflectorTools) =>
    startReflector({ ...tools, kind: Service, plan: planService }),
  endpointslice: startEndpointSliceReflector,
  ingress: (tools: ReflectorTools) =>
    startReflector({ ...tools, kind: Ingress, plan: planIngress }),
} as const satisfies Readonly<Record<string, (tools: ReflectorTools) => Reflector>>;

function startEndpointSliceReflector(tools: ReflectorTools): Reflector {
  const relations = new EndpointRelations(tools.context);
  return startReflector({
    ...tools,
    kind: EndpointSlice,
    remoteKind: ShadowEndpointSlice,
    plan: planShadowEndpointSlice(relations),
    watchRelated: (namespace, lookAt) =>
      relations.watch(namespace, {
        onService: ({ metadata }) => lookAt((slice) => serviceOfSlice(slice) === metadata.name),
        onNodes: () => lookAt(() => true),
      }),
  });
}

export type ReflectedResource = keyof typeof reflectors;

export const reflectedResources = Object.keys(reflectors) as readonly ReflectedResource[];

/** Settings of reflectors that are not the default ones. */
export type ReflectionSettings = Readonly<Partial<Record<ReflectedResource, ReflectorSettings>>>;

export const defaultReflectorSettings: ReflectorSettings = { workers: 3, policy: 'DenyList' };

/** One for each kind; none for a kind without workers. */
export function startReflectors(
  context: ReflectorTools['context'],
  settings: ReflectionSettings,
): readonly Reflector[] {
  return reflectedResources.flatMap((resource) => {
    const chosen = settingsOf(resource, settings);
    return chosen.workers > 0 ? [reflectors[resource]({ ...chosen, context })] : [];
  });
}

/** Endpoints follow their Service: where Services are reflected only if they say so, endpoints are too. */
function settingsOf(resource: ReflectedResource, settings: ReflectionSettings): ReflectorSettings {
  const chosen = settings[resource] ?? defaultReflectorSettings;
  const isOfService = resource === 'endpointslice' && settings.service?.policy === 'AllowList';
  return isOfService ? { ...chosen, policy: 'AllowList' } : chosen;
}
