import type { Container, SELinuxOptions } from 'kubernetes-types/core/v1.d.ts';
import {
  type Check,
  containersOf,
  containersThat,
  hasOwnUsers,
  type PodLike,
  plural,
  quoteAll,
  settersThat,
  sortedSet,
  type Violation,
} from './check.ts';
import { hostChecks } from './host-checks.ts';
import { findForbiddenSeccomp, findSeccompAnnotations } from './seccomp.ts';

/** What no pod of the level `baseline` may do. */
export const baselineChecks: readonly Check[] = [
  ...hostChecks,
  { id: 'appArmorProfile', since: 0, find: findAppArmor },
  { id: 'capabilities_baseline', since: 0, find: findCapabilities },
  { id: 'privileged', since: 0, find: findPrivileged },
  {
    id: 'procMount',
    since: 0,
    find: (pod, minor) => (minor >= 35 && hasOwnUsers(pod) ? undefined : findProcMount(pod)),
  },
  { id: 'seLinuxOptions', since: 0, find: findSeLinux },
  {
    id: 'seccompProfile_baseline',
    since: 0,
    find: (pod, minor) => (minor < 19 ? findSeccompAnnotations(pod) : findForbiddenSeccomp(pod)),
  },
  { id: 'sysctls', since: 0, find: findSysctls },
];

const appArmorTypes: readonly (string | undefined)[] = ['RuntimeDefault', 'Localhost'];
const appArmorPrefix = 'container.apparmor.security.beta.kubernetes.io/';

function findAppArmor(pod: PodLike): Violation | undefined {
  const badType = (context: { appArmorProfile?: { type: string } } | undefined) => {
    const type = context?.appArmorProfile?.type;
    return type === undefined || appArmorTypes.includes(type) ? undefined : type;
  };
  const ofPod = badType(pod.spec.securityContext);
  const isBad = ({ securityContext }: Container) => badType(securityContext) !== undefined;
  const ofContainers = containersOf(pod).map(({ securityContext }) => badType(securityContext));
  const annotations = badAppArmorAnnotations(pod.metadata?.annotations ?? {});
  const values = [...sortedSet([ofPod, ...ofContainers]), ...annotations];
  const setters = settersThat(ofPod !== undefined, containersThat(pod, isBad));
  const word = plural('annotation', annotations.length);
  const who = [...(setters ? [setters] : []), ...(annotations.length > 0 ? [word] : [])];
  if (who.length === 0) return undefined;
  return {
    reason: `forbidden AppArmor ${plural('profile', values.length)}`,
    detail: `${who.join(' and ')} must not set AppArmor profile type to ${quoteAll(values)}`,
  };
}

function badAppArmorAnnotations(annotations: Readonly<Record<string, string>>): string[] {
  return Object.entries(annotations)
    .filter(([key, value]) => key.startsWith(appArmorPrefix) && !isAllowedAppArmor(value))
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .sort();
}

function isAllowedAppArmor(value: string): boolean {
  return value === '' || value === 'runtime/default' || value.startsWith('localhost/');
}

const defaultCapabilities: readonly string[] = [
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
];

function findCapabilities(pod: PodLike): Violation | undefined {
  const extraOf = ({ securityContext }: Container) =>
    (securityContext?.capabilities?.add ?? []).filter((one) => !defaultCapabilities.includes(one));
  const bad = containersThat(pod, (container) => extraOf(container).length > 0);
  if (!bad) return undefined;
  const extra = quoteAll(sortedSet(containersOf(pod).flatMap(extraOf)));
  const detail = `${bad} must not include ${extra} in securityContext.capabilities.add`;
  return { reason: 'non-default capabilities', detail };
}

function findPrivileged(pod: PodLike): Violation | undefined {
  const bad = containersThat(pod, ({ securityContext }) => securityContext?.privileged === true);
  if (!bad) return undefined;
  return { reason: 'privileged', detail: `${bad} must not set securityContext.privileged=true` };
}

export function findProcMount(pod: PodLike): Violation | undefined {
  const unusual = ({ securityContext }: Container) =>
    securityContext?.procMount === 'Default' ? undefined : securityContext?.procMount;
  const bad = containersThat(pod, (container) => unusual(container) !== undefined);
  if (!bad) return undefined;
  const mounts = quoteAll(sortedSet(containersOf(pod).map(unusual)));
  return {
    reason: 'procMount',
    detail: `${bad} must not set securityContext.procMount to ${mounts}`,
  };
}

const seLinuxTypes: readonly string[] = ['', 'container_t', 'container_init_t', 'container_kvm_t'];

function findSeLinux(pod: PodLike, minor: number): Violation | undefined {
  const allowed = minor < 31 ? seLinuxTypes : [...seLinuxTypes, 'container_engine_t'];
  const isBad = (options: SELinuxOptions | undefined) =>
    Boolean(options?.user || options?.role || !allowed.includes(options?.type ?? ''));
  const ofPod = pod.spec.securityContext?.seLinuxOptions;
  const bad = containersThat(pod, ({ securityContext }) => isBad(securityContext?.seLinuxOptions));
  const setters = settersThat(isBad(ofPod), bad);
  if (!setters) return undefined;
  const all = [ofPod, ...containersOf(pod).map((one) => one.securityContext?.seLinuxOptions)];
  const types = sortedSet(all.map((one) => one?.type)).filter((one) => !allowed.includes(one));
  const facts = [
    ...(types.length > 0 ? [`${plural('type', types.length)} ${quoteAll(types)}`] : []),
    ...(all.some((one) => one?.user) ? ['user may not be set'] : []),
    ...(all.some((one) => one?.role) ? ['role may not be set'] : []),
  ];
  const detail = `${setters} set forbidden securityContext.seLinuxOptions: ${facts.join('; ')}`;
  return { reason: 'seLinuxOptions', detail };
}

/** Safe sysctls, and the minor version since which they count as that. */
const safeSysctls: Readonly<Record<string, number>> = {
  'kernel.shm_rmid_forced': 0,
  'net.ipv4.ip_local_port_range': 0,
  'net.ipv4.tcp_syncookies': 0,
  'net.ipv4.ping_group_range': 0,
  'net.ipv4.ip_unprivileged_port_start': 0,
  'net.ipv4.ip_local_reserved_ports': 27,
  'net.ipv4.tcp_keepalive_time': 29,
  'net.ipv4.tcp_fin_timeout': 29,
  'net.ipv4.tcp_keepalive_intvl': 29,
  'net.ipv4.tcp_keepalive_probes': 29,
  'net.ipv4.tcp_rmem': 32,
  'net.ipv4.tcp_wmem': 32,
};

function findSysctls({ spec }: PodLike, minor: number): Violation | undefined {
  const names = (spec.securityContext?.sysctls ?? []).map(({ name }) => name);
  const bad = names.filter((name) => (safeSysctls[name] ?? Number.POSITIVE_INFINITY) > minor);
  return bad.length > 0 ? { reason: 'forbidden sysctls', detail: bad.join(', ') } : undefined;
}
