import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

const mountPoint = '/sys/fs/cgroup';

/** Where control groups are made: one place for every controller, or, in the second version of them, one for all. */
export function cgroupHierarchies(root = mountPoint): readonly string[] {
  if (existsSync(join(root, 'cgroup.controllers'))) return [root];
  return readdirSync(root)
    .map((name) => join(root, name))
    .filter((path) => existsSync(join(path, 'cgroup.procs')));
}

/** Makes a control group everywhere, ready to have processes. The reaper removes it, by the name of the folder. */
export function makeCgroup(path: string, root = mountPoint): void {
  for (const hierarchy of cgroupHierarchies(root)) {
    const group = join(hierarchy, path);
    mkdirSync(group, { recursive: true });
    inherit(hierarchy, group, 'cpuset.cpus');
    inherit(hierarchy, group, 'cpuset.mems');
  }
}

/** Removes the groups below this one, everywhere. Throws for as long as there are processes in one of them. */
export function emptyCgroup(path: string, root = mountPoint): void {
  for (const hierarchy of cgroupHierarchies(root)) removeBelow(join(hierarchy, path));
}

function removeBelow(group: string): void {
  for (const entry of readdirSync(group, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const below = join(group, entry.name);
    removeBelow(below);
    rmdirSync(below);
  }
}

/** A group without processors and memory of its own takes no process. */
function inherit(hierarchy: string, group: string, setting: string): void {
  const file = join(group, setting);
  if (group === hierarchy || !existsSync(join(hierarchy, setting))) return;
  inherit(hierarchy, dirname(group), setting);
  writeFileSync(file, readFileSync(join(dirname(group), setting)));
}
