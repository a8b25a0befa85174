import type { KeyObject } from 'node:crypto';
import { Advertisement, ClusterConfig, Quota, Tenant } from '@liqo/api';
import {
  CertificateSigningRequest,
  deepEqual,
  type KubeObject,
  Namespace,
  Node,
  type ObjectKey,
  parseKey,
} from '@liqo/kube';
import { certificateSecretOf, tenantRequestSelector } from '@liqo/model';
import { mapped, type Stoppable } from '@liqo/runtime';
import { type ApiServerOptions, watchApiServer } from '../authentication/advertised-api-server.ts';
import { ControlLoop } from '../control-loop.ts';
import type { ControllerContext } from '../controller-context.ts';
import { forPeers, ofPeers } from '../selections.ts';
import { OfferCredentials } from './offer-credentials.ts';
import { PodsReader } from './pods-reader.ts';
import { OwnOfferReconciler } from './reconcile-own-offer.ts';

export interface OwnOfferOptions {
  /** What consumers are told of the API server of this cluster. */
  readonly apiServer: ApiServerOptions;
  readonly newKey: () => KeyObject;
}

/** At a provider: offers every consumer with a Tenant a share of what is free, as the ClusterConfig says. */
export function startOwnOfferController(
  context: ControllerContext,
  { apiServer, newKey }: OwnOfferOptions,
): Stoppable {
  const loop = new ControlLoop(context);
  const advertiser = watchApiServer(loop, context.liqoNamespace, apiServer);
  const offers = loop.watch(Advertisement, forPeers);
  const tenants = loop.watch(Tenant);
  const configs = loop.watch(ClusterConfig);
  const nodes = loop.watch(Node);
  const namespaces = loop.watch(Namespace, ofPeers);
  const quotas = loop.watch(Quota);
  const requests = loop.watch(CertificateSigningRequest, { labelSelector: tenantRequestSelector });
  const credentials = new OfferCredentials({
    ...context,
    quotas,
    requests,
    apiServer: advertiser,
    newKey,
  });
  const reconciler = new OwnOfferReconciler({
    ...context,
    offers,
    tenants,
    configs,
    nodes,
    namespaces,
    pods: new PodsReader(context),
    credentials,
  });
  const inNamespace = ({ metadata }: KubeObject): readonly ObjectKey[] => [
    { name: metadata?.namespace ?? '' },
  ];
  const all = () => tenants.list().flatMap(inNamespace);
  return loop.run({
    name: 'own-advertisement',
    concurrency: 4,
    sources: [
      mapped(tenants, inNamespace),
      mapped(offers, inNamespace),
      mapped(quotas, inNamespace),
      mapped(configs, all),
      mapped(nodes, all, hasOtherCapacity),
      mapped(requests, (request) => [
        { name: parseKey(certificateSecretOf(request) ?? '').namespace ?? '' },
      ]),
      ...advertiser.sources(all),
    ],
    reconcile: (key, run) => reconciler.reconcile(key, run),
  });
}

/** Nodes report that they live every few seconds. */
function hasOtherCapacity(before: Node, after: Node): boolean {
  const facts = ({ metadata, spec, status }: Node) => ({
    labels: metadata?.labels,
    unschedulable: spec?.unschedulable,
    allocatable: status?.allocatable,
    ready: status?.conditions?.find(({ type }) => type === 'Ready')?.status,
  });
  return !deepEqual(facts(before), facts(after));
}
