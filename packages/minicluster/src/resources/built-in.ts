import type { Clock, Random } from '@liqo/kube';
import type { Resource } from '../rest/resource.ts';
import { builtInSchemas } from '../schema/built-in-schemas.ts';
import {
  validatingAdmissionPolicies,
  validatingAdmissionPolicyBindings,
} from './admission/validating-admission-policy.ts';
import {
  mutatingWebhookConfigurations,
  validatingWebhookConfigurations,
} from './admission/webhook-configuration.ts';
import { customResourceDefinitions } from './apiextensions/custom-resource-definition.ts';
import { controllerRevisions } from './apps/controller-revision.ts';
import { daemonSets } from './apps/daemon-set.ts';
import { deployments } from './apps/deployment.ts';
import { replicaSets, replicationControllers } from './apps/replica-set.ts';
import { statefulSets } from './apps/stateful-set.ts';
import { horizontalPodAutoscalers } from './autoscaling/horizontal-pod-autoscaler.ts';
import { cronJobs } from './batch/cron-job.ts';
import { jobs } from './batch/job.ts';
import { certificateSigningRequests } from './certificates/certificate-signing-request.ts';
import { leases } from './coordination/lease.ts';
import { configMaps } from './core/config-map.ts';
import { endpoints } from './core/endpoints.ts';
import { limitRanges } from './core/limit-range.ts';
import { namespaces } from './core/namespace.ts';
import { nodes } from './core/node.ts';
import { podTemplates } from './core/pod-template.ts';
import { resourceQuotas } from './core/resource-quota.ts';
import { secrets } from './core/secret.ts';
import { serviceAccounts } from './core/service-account.ts';
import {
  buildResource,
  type ResourceDefinition,
  type SubresourceHandlers,
} from './define-resource.ts';
import { coreEvents, newEvents } from './events/event.ts';
import { endpointSlices } from './networking/endpoint-slice.ts';
import { ingresses } from './networking/ingress.ts';
import { ingressClasses } from './networking/ingress-class.ts';
import { networkPolicies } from './networking/network-policy.ts';
import { defaultServiceCidr, serviceCidrs } from './networking/service-cidr.ts';
import { pods } from './pods/pod.ts';
import { podDisruptionBudgets } from './policy/pod-disruption-budget.ts';
import { clusterRoleBindings, clusterRoles, roleBindings, roles } from './rbac/rbac.ts';
import { reviews } from './reviews/reviews.ts';
import { priorityClasses } from './scheduling/priority-class.ts';
import { runtimeClasses } from './scheduling/runtime-class.ts';
import { services } from './services/service.ts';
import { ServiceAllocations } from './services/service-allocations.ts';
import { csiDrivers, csiNodes } from './storage/csi.ts';
import { persistentVolumes } from './storage/persistent-volume.ts';
import { persistentVolumeClaims } from './storage/persistent-volume-claim.ts';
import { storageClasses } from './storage/storage-class.ts';
import { volumeAttachments } from './storage/volume-attachment.ts';

export interface BuiltInOptions {
  readonly clock: Clock;
  /** Chooses cluster IPs and node ports. */
  readonly random: Random;
  /** Where cluster IPs come from; IPv4. */
  readonly serviceCidr?: string;
  /** Without one, a subresource other than `status` and `scale` is not served. */
  readonly subresourceHandlers?: SubresourceHandlers;
  /** By `<plural>.<group>`. A review that nobody answers is not served. */
  readonly reviewHandlers?: ReviewHandlers;
  /** Plurals of those that are wanted; all when absent. */
  readonly serves?: readonly string[] | undefined;
}

type ReviewHandlers = Readonly<Record<string, NonNullable<Resource['review']>>>;

/** The resources every cluster has. Cluster IPs and node ports are held by what is returned: once per cluster. */
export function builtInResources(options: BuiltInOptions): readonly Resource[] {
  const schemas = builtInSchemas();
  const handlers = options.subresourceHandlers ?? {};
  return definitions(options).map((definition) => buildResource(definition, schemas, handlers));
}

function definitions(options: BuiltInOptions): readonly ResourceDefinition[] {
  const all = [...coreDefinitions(options), ...groupDefinitions(options)];
  const { serves } = options;
  return serves ? all.filter(({ plural }) => serves.includes(plural)) : all;
}

function coreDefinitions({
  clock,
  random,
  serviceCidr = defaultServiceCidr,
}: BuiltInOptions): readonly ResourceDefinition[] {
  return [
    configMaps,
    endpoints,
    coreEvents,
    limitRanges,
    namespaces,
    nodes,
    persistentVolumeClaims,
    persistentVolumes(clock),
    pods(clock),
    podTemplates,
    replicationControllers,
    resourceQuotas,
    secrets,
    serviceAccounts,
    services(new ServiceAllocations({ cidr: serviceCidr, random })),
  ];
}

function groupDefinitions({
  clock,
  reviewHandlers = {},
}: BuiltInOptions): readonly ResourceDefinition[] {
  return [
    controllerRevisions,
    daemonSets,
    deployments,
    replicaSets,
    statefulSets,
    newEvents,
    ...answeredReviews(reviewHandlers),
    horizontalPodAutoscalers,
    cronJobs,
    jobs,
    certificateSigningRequests(clock),
    ingressClasses,
    serviceCidrs,
    ingresses,
    networkPolicies,
    podDisruptionBudgets,
    clusterRoleBindings,
    clusterRoles,
    roleBindings,
    roles,
    csiDrivers,
    csiNodes,
    storageClasses,
    volumeAttachments,
    mutatingWebhookConfigurations,
    validatingAdmissionPolicies,
    validatingAdmissionPolicyBindings,
    validatingWebhookConfigurations,
    customResourceDefinitions,
    priorityClasses,
    leases,
    runtimeClasses,
    endpointSlices,
  ];
}

function answeredReviews(handlers: ReviewHandlers): ResourceDefinition[] {
  return reviews.flatMap((definition) => {
    const review = handlers[`${definition.plural}.${definition.group}`];
    return review ? [{ ...definition, review }] : [];
  });
}
