import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { identifyProcess } from '@liqo/runtime';
import { cgroupHierarchies } from '../../packages/testkit/src/real-cluster/node/cgroups.ts';
import { nodeEnvironment } from '../../packages/testkit/src/real-cluster/node/node-assets.ts';

/** What there is on this machine of the things that a cluster could leave behind or change. */
export interface Inventory {
  readonly mounts: readonly string[];
  readonly links: readonly string[];
  readonly routes: readonly string[];
  readonly cgroups: readonly string[];
  readonly firewallTables: string;
  readonly settings: Readonly<Record<string, string>>;
}

/**
 * Leaves out what other clusters have on the machine, which come and go as they like: all of it has the name of a folder
 * to it, and the names of our own folders start with `ours`.
 */
export function takeInventory(ours: string, assets: string): Inventory {
  const isForeign = (name: string) => name.startsWith('liqo-ts-') && !name.startsWith(ours);
  const links = readdirSync('/sys/class/net').filter((link) => !isForeign(aliasOf(link)));
  return {
    mounts: readFileSync('/proc/self/mountinfo', 'utf8').split('\n'),
    links,
    routes: listRoutes().filter((route) => links.some((link) => route.includes(` dev ${link} `))),
    cgroups: listCgroups().filter((path) => !path.split('/').some(isForeign)),
    firewallTables: run(assets, 'nft', 'list', 'tables'),
    settings: Object.fromEntries(readSettings('/proc/sys')),
  };
}

function aliasOf(link: string): string {
  return readFileSync(`/sys/class/net/${link}/ifalias`, 'utf8').trim();
}

function listRoutes(): readonly string[] {
  const printed = execFileSync('ip', ['-oneline', 'route', 'show', 'table', 'all'], {
    encoding: 'utf8',
  });
  return printed.split('\n');
}

function listCgroups(): readonly string[] {
  return cgroupHierarchies().flatMap((hierarchy) =>
    readdirSync(hierarchy, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => join(hierarchy, entry.name)),
  );
}

function run(assets: string, program: string, ...args: readonly string[]): string {
  return execFileSync(join(assets, 'nodes/usr/sbin', program), args, {
    encoding: 'utf8',
    env: nodeEnvironment(assets),
  });
}

/** Numbers that the kernel counts, and settings of interfaces, which come and go with them. */
const volatile =
  /\/fs\/(dentry-state|file-nr|inode-nr|inode-state|aio-nr)$|\/fs\/quota\/|\/ns_last_pid$|\/kernel\/(random|pty)\/|\/nf_conntrack_count$|\/(conf|neigh)\/liqo-ts|\/stat_refresh$|perf_event_max_sample_rate/;

function readSettings(folder: string): readonly (readonly [string, string])[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (volatile.test(path)) return [];
    return entry.isDirectory() ? readSettings(path) : readSetting(path);
  });
}

function readSetting(path: string): readonly (readonly [string, string])[] {
  try {
    return [[path, readFileSync(path, 'utf8')]];
  } catch {
    return [];
  }
}

const namespaces = ['net', 'mnt', 'pid_for_children'];

/** A process, under a name that no later one gets, and the program it is. */
export interface SeenProcess {
  readonly identity: string;
  readonly program: string;
}

/**
 * Every process that has this in its command line or as the name of a control group, or is in a namespace with one that
 * has. Those are all of a cluster: shims and containers do not know where they are.
 */
export function processesOf(mark: string): readonly SeenProcess[] {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const marked = all.filter((pid) =>
    ['cmdline', 'cgroup'].some((file) => readProcess(pid, file).includes(mark)),
  );
  const own = new Set(listNamespaces('self'));
  const theirs = new Set(marked.flatMap(listNamespaces).filter((each) => !own.has(each)));
  return all
    .filter((pid) => marked.includes(pid) || listNamespaces(pid).some((each) => theirs.has(each)))
    .map((pid) => ({
      identity: identifyProcess(Number(pid)) ?? '',
      program: readProcess(pid, 'comm').trim(),
    }))
    .filter(({ identity }) => identity !== '');
}

/** Nothing of a process that has ended in the meantime. */
function readProcess(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

function listNamespaces(pid: string): readonly string[] {
  try {
    return namespaces.map((namespace) => readlinkSync(`/proc/${pid}/ns/${namespace}`));
  } catch {
    return [];
  }
}
