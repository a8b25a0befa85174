import type { ApiError, KubeObject, Random, Service } from '@liqo/kube';
import type { ServicePort, ServiceSpec } from 'kubernetes-types/core/v1.d.ts';
import { internalError, invalid as refuseInvalid } from '../../rest/refusal.ts';
import type { Allocations } from '../../rest/resource.ts';
import type { Item } from '../../store/collection.ts';
import { isIpv4 } from '../validation/addresses.ts';
import { type FieldProblem, invalid } from '../validation/field-problem.ts';
import { AddressPool } from './address-pool.ts';
import { PortPool } from './port-pool.ts';
import {
  allocatesNodePorts,
  hasNodePorts,
  isHeadless,
  needsClusterIp,
  needsHealthCheckPort,
} from './service-needs.ts';
import { validateClusterIps } from './validate-cluster-ips.ts';

/**
 * The addresses and node ports of services. What a service holds is kept under its name, and replaced as a whole each
 * time it is written: writing the same service twice, or again after a lost race, neither fails nor leaks.
 */
export class ServiceAllocations implements Allocations {
  readonly #addresses: AddressPool;
  readonly #ports: PortPool;

  constructor(options: { readonly cidr: string; readonly random: Random }) {
    this.#addresses = new AddressPool(options.cidr, options.random);
    this.#ports = new PortPool(options.random);
  }

  allocate(object: KubeObject, previous: Item | undefined): KubeObject {
    return this.#allocateTo(ownerOf(object), object, previous);
  }

  tryOut(object: KubeObject, previous: Item | undefined): KubeObject {
    // A service of this name may be there already, and has nothing to do with it.
    const owner = previous ? ownerOf(object) : `${ownerOf(object)} to be`;
    const shown = this.#allocateTo(owner, object, previous);
    if (previous) this.allocate(previous, undefined);
    else this.#releaseFrom(owner);
    return shown;
  }

  release(object: Item): void {
    this.#releaseFrom(ownerOf(object));
  }

  #allocateTo(owner: string, object: KubeObject, previous: Item | undefined): KubeObject {
    const service = object as Service;
    const isNew = !this.#addresses.isHolder(owner);
    refuseFaultyAddresses(service);
    try {
      const { spec: before } = (previous ?? {}) as Service;
      const addressed = this.#withAddresses(owner, withFamilies(service), before);
      return { ...service, spec: this.#withPorts(owner, addressed) } as KubeObject;
    } catch (error) {
      if (isNew) this.#addresses.release(owner);
      if (error instanceof FieldRefusal) throw refuse(service, [error.problem]);
      throw error;
    }
  }

  #releaseFrom(owner: string): void {
    this.#addresses.release(owner);
    this.#ports.release(owner);
  }

  #withAddresses(owner: string, spec: ServiceSpec, before: ServiceSpec | undefined): ServiceSpec {
    if (!needsClusterIp(spec) || isHeadless(spec)) {
      this.#addresses.release(owner);
      return spec;
    }
    // Whoever has an address keeps it: that another one is asked for is for the validation to refuse.
    if (before && needsClusterIp(before)) return spec;
    const clusterIP = this.#addresses.hold(owner, spec.clusterIP, (fault) => {
      const field = 'spec.clusterIPs';
      const said = `failed to allocate IP ${spec.clusterIP}: ${fault}`;
      return new FieldRefusal(invalid(field, spec.clusterIPs, said));
    });
    return { ...spec, clusterIP, clusterIPs: [clusterIP] };
  }

  #withPorts(owner: string, spec: ServiceSpec): ServiceSpec {
    const claim = this.#ports.claim(owner);
    const ports = hasNodePorts(spec) ? chooseAll(spec, claim) : spec.ports;
    const check = needsHealthCheckPort(spec) ? spec.healthCheckNodePort || claim.any() : undefined;
    if (check !== undefined) claim.take(check, (fault) => internalError(fault));
    claim.commit();
    return {
      ...spec,
      ...(ports && { ports }),
      ...(check !== undefined && { healthCheckNodePort: check }),
    };
  }
}

type Claim = ReturnType<PortPool['claim']>;

/** A port number that is served by two protocols has one node port. */
function chooseAll(spec: ServiceSpec, claim: Claim): ServicePort[] {
  const chosen = new Map<number, number>();
  const asked = spec.ports ?? [];
  return asked.map((port, i) => {
    if (!port.nodePort && !allocatesNodePorts(spec)) return port;
    const same = asked.find((one) => one.port === port.port && one.nodePort)?.nodePort;
    const nodePort = port.nodePort || chosen.get(port.port) || same || claim.any();
    claim.take(nodePort, (fault) => {
      return new FieldRefusal(invalid(`spec.ports[${i}].nodePort`, nodePort, fault));
    });
    chosen.set(port.port, nodePort);
    return { ...port, nodePort };
  });
}

/** This cluster speaks IPv4. */
function withFamilies(service: Service): ServiceSpec {
  const spec = service.spec ?? {};
  if (!needsClusterIp(spec)) return spec;
  const isFree = isHeadless(spec) && Object.keys(spec.selector ?? {}).length === 0;
  const ipFamilyPolicy = spec.ipFamilyPolicy ?? (isFree ? 'RequireDualStack' : 'SingleStack');
  const asked = spec.ipFamilies ?? [];
  if (isFree) {
    const both = asked.length > 0 ? bothFrom(asked[0]) : ['IPv4', 'IPv6'];
    const ipFamilies = ipFamilyPolicy === 'SingleStack' ? both.slice(0, 1) : both;
    return { ...spec, ipFamilyPolicy, ipFamilies: asked.length === 2 ? asked : ipFamilies };
  }
  refuseOtherFamilies(spec, ipFamilyPolicy, asked);
  return { ...spec, ipFamilyPolicy, ipFamilies: asked.length > 0 ? asked : ['IPv4'] };
}

function bothFrom(first: string | undefined): string[] {
  return first === 'IPv6' ? ['IPv6', 'IPv4'] : ['IPv4', 'IPv6'];
}

function refuseOtherFamilies(spec: ServiceSpec, policy: string, asked: readonly string[]): void {
  const ips = spec.clusterIPs ?? [];
  const strange = isHeadless(spec) ? -1 : ips.findIndex((ip, i) => !asked[i] && !isIpv4(ip));
  if (strange >= 0) {
    const field = `spec.clusterIPs[${strange}]`;
    throw new FieldRefusal(invalid(field, ips, 'IPv6 is not configured on this cluster'));
  }
  if (policy === 'RequireDualStack') {
    const rule = 'this cluster is not configured for dual-stack services';
    throw new FieldRefusal(invalid('spec.ipFamilyPolicy', policy, rule));
  }
  const other = asked.findIndex((family) => family !== 'IPv4');
  if (other < 0) return;
  const field = `spec.ipFamilies[${other}]`;
  throw new FieldRefusal(invalid(field, asked[other], 'not configured on this cluster'));
}

/** Becomes an `ApiError` where the service is known. */
class FieldRefusal extends Error {
  override readonly name = 'FieldRefusal';
  readonly problem: FieldProblem;

  constructor(problem: FieldProblem) {
    super(problem.message);
    this.problem = problem;
  }
}

/** Nothing can be chosen for a service that contradicts itself. */
function refuseFaultyAddresses(service: Service): void {
  const spec = service.spec ?? {};
  const problems = needsClusterIp(spec) ? validateClusterIps(spec) : [];
  if (problems.length > 0) throw refuse(service, problems);
}

function refuse({ metadata }: Service, problems: readonly FieldProblem[]): ApiError {
  return refuseInvalid({ group: '', kind: 'Service' }, metadata?.name ?? '', problems);
}

function ownerOf({ metadata }: KubeObject): string {
  return `${metadata?.namespace}/${metadata?.name}`;
}
