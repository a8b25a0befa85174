import { lookup } from 'node:dns/promises';
import { ApiError, type Endpoints, type Pod, type Service } from '@liqo/kube';
import type { EndpointAddress, EndpointSubset } from 'kubernetes-types/core/v1.d.ts';
import { ObjectStore } from '../rest/object-store.ts';
import { badRequest, notFound } from '../rest/refusal.ts';
import type { ServerParts } from '../rest/server-parts.ts';
import type { Item } from '../store/collection.ts';
import type { Backend } from './backend.ts';
import type { ClusterRoutes } from './cluster-routes.ts';
import { isGlobalUnicast } from './is-global-unicast.ts';
import type { KubeletConnection } from './kubelet-connection.ts';
import { type ProxyTarget, parseProxyTarget } from './proxy-target.ts';

const nodes = { group: '', plural: 'nodes' };
const pods = { group: '', plural: 'pods' };
const services = { group: '', plural: 'services' };

/** Finds what a request to a `proxy` subresource is passed on to; refuses as the API server does. */
export class ProxyLocator {
  readonly #parts: ServerParts;
  readonly #kubelets: KubeletConnection;
  readonly #routes: ClusterRoutes;

  constructor(parts: ServerParts, kubelets: KubeletConnection, routes: ClusterRoutes) {
    this.#parts = parts;
    this.#kubelets = kubelets;
    this.#routes = routes;
  }

  /** The kubelet unless another port of the machine is asked for. */
  async node(id: string): Promise<Backend> {
    const { scheme, name, port } = parse('node', id);
    const kubelet = this.#kubelets.locate(name, nodes);
    await this.#refuseForeign(kubelet.host);
    if (port === '' || port === kubelet.port) return kubelet;
    const { host, machine } = kubelet;
    return { scheme: scheme || 'http', host, port, machine };
  }

  pod(namespace: string, id: string): Backend {
    const target = parse('pod', id);
    const pod = this.#get<Pod>(pods, namespace, target.name);
    if (!pod) throw notFound(pods, target.name);
    return this.#at(target, pod.status?.podIPs?.[0]?.ip ?? '', target.port || firstPort(pod));
  }

  /** Any one ready pod behind the service. */
  service(namespace: string, id: string): Backend {
    const target = parse('service', id);
    const portName = this.#portName(namespace, target);
    const endpoints = this.#get<Endpoints>({ plural: 'endpoints' }, namespace, target.name);
    if (!endpoints) throw notFound(services, target.name);
    const subsets = endpoints.subsets ?? [];
    if (subsets.length === 0) throw noEndpoints(target.name);
    for (const { addresses = [], ports = [] } of this.#shuffled<EndpointSubset>(subsets)) {
      const port = ports.find(({ name = '' }) => name === portName);
      const candidates = this.#shuffled<EndpointAddress>(addresses);
      const address = candidates.find((one) => this.#isPod(namespace, one));
      if (port && address) return this.#at(target, address.ip, String(port.port));
    }
    throw noEndpoints(id);
  }

  /** A port can be asked for by its number, but endpoints know its name. */
  #portName(namespace: string, { name, port }: ProxyTarget): string {
    if (!/^-?\d+$/.test(port)) return port;
    const service = this.#get<Service>(services, namespace, name);
    if (!service) throw notFound(services, name);
    const found = service.spec?.ports?.find((one) => String(one.port) === port);
    if (found) return found.name ?? '';
    throw unavailable(`no service port ${port} found for service "${name}"`);
  }

  /** Requests go nowhere but to pods, whatever somebody writes into an Endpoints object. */
  #isPod(namespace: string, { ip, targetRef }: EndpointAddress): boolean {
    if (targetRef?.namespace !== namespace) return false;
    const pod = this.#get<Pod>(pods, namespace, targetRef.name ?? '');
    return pod?.status?.podIPs?.some((one) => one.ip === ip) ?? false;
  }

  #at({ scheme }: ProxyTarget, host: string, port: string): Backend {
    const machine = this.#routes.machineOf(host);
    if (!isGlobalUnicast(host) && !this.#routes.isMachine(host)) {
      throw badRequest('address not allowed');
    }
    return { scheme: scheme || 'http', host, port, machine };
  }

  /** The machine of the API server itself is not for everybody who may proxy to nodes, unless nodes of ours are there. */
  async #refuseForeign(host: string): Promise<void> {
    if (this.#routes.isMachine(host)) return;
    const found = await lookup(host, { all: true }).catch((error: Error) => {
      throw badRequest(error.message);
    });
    if (!found.every(({ address }) => isGlobalUnicast(address))) {
      throw badRequest('address not allowed');
    }
  }

  #get<T>(
    kind: { readonly plural: string },
    namespace: string,
    name: string,
  ): (Item & T) | undefined {
    const resource = this.#parts.registry.find('', 'v1', kind.plural);
    const item =
      resource && new ObjectStore(this.#parts.store, resource).get(`${namespace}/${name}`);
    return item as (Item & T) | undefined;
  }

  #shuffled<T>(list: readonly T[]): T[] {
    const start = Math.floor(this.#parts.random() * list.length);
    return [...list.slice(start), ...list.slice(0, start)];
  }
}

function parse(kind: 'node' | 'pod' | 'service', id: string): ProxyTarget {
  const target = parseProxyTarget(id);
  if (target) return target;
  throw badRequest(`invalid ${kind} request "${id}"`);
}

function firstPort({ spec }: Pod): string {
  const withPorts = spec?.containers.find(({ ports = [] }) => ports.length > 0);
  return String(withPorts?.ports?.[0]?.containerPort ?? '');
}

function noEndpoints(service: string): ApiError {
  return unavailable(`no endpoints available for service "${service}"`);
}

function unavailable(message: string): ApiError {
  return new ApiError({ code: 503, reason: 'ServiceUnavailable', message });
}
