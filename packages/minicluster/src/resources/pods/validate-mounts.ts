import type { Container, Volume, VolumeDevice, VolumeMount } from 'kubernetes-types/core/v1.d.ts';
import {
  type FieldProblem,
  forbidden,
  invalid,
  notFound,
  oneOf,
  required,
} from '../validation/field-problem.ts';
import { descendingPath } from '../validation/paths.ts';

type Volumes = ReadonlyMap<string, Volume>;

/** Where a container sees the volumes of its pod: each at a path of its own. */
export function validateMounts(
  field: string,
  container: Container,
  volumes: Volumes,
): FieldProblem[] {
  const mounts = container.volumeMounts ?? [];
  const devices = container.volumeDevices ?? [];
  return [
    ...mounts.flatMap((mount, i) => [
      ...validateMountPlace(`${field}.volumeMounts[${i}]`, mount, mounts.slice(0, i), volumes),
      ...validateOverlap(`${field}.volumeMounts[${i}]`, mount, devices),
      ...validateMountOptions(`${field}.volumeMounts`, i, mount, container),
    ]),
    ...devices.flatMap((device, i) =>
      validateDevice(`${field}.volumeDevices[${i}]`, device, devices.slice(0, i), volumes),
    ),
  ];
}

function validateMountPlace(
  field: string,
  { name, mountPath }: VolumeMount,
  earlier: readonly VolumeMount[],
  volumes: Volumes,
): FieldProblem[] {
  const problems: FieldProblem[] = [];
  if (!name) problems.push(required(`${field}.name`));
  if (!volumes.has(name)) problems.push(notFound(`${field}.name`, name ?? ''));
  if (!mountPath) problems.push(required(`${field}.mountPath`));
  if (earlier.some((mount) => mount.mountPath === mountPath)) {
    problems.push(invalid(`${field}.mountPath`, mountPath, 'must be unique'));
  }
  return problems;
}

function validateOverlap(
  field: string,
  { name, mountPath }: VolumeMount,
  devices: readonly VolumeDevice[],
): FieldProblem[] {
  const problems: FieldProblem[] = [];
  if (devices.some((device) => device.name === name)) {
    problems.push(invalid(`${field}.name`, name, 'must not already exist in volumeDevices'));
  }
  if (devices.some(({ devicePath }) => devicePath === mountPath)) {
    const rule = 'must not already exist as a path in volumeDevices';
    problems.push(invalid(`${field}.mountPath`, mountPath, rule));
  }
  return problems;
}

/** The server forgets to say which mount it is, except where both sub-paths are given. */
function validateMountOptions(
  field: string,
  index: number,
  mount: VolumeMount,
  container: Container,
): FieldProblem[] {
  const { subPath, subPathExpr, mountPropagation } = mount;
  const problems: FieldProblem[] = [];
  if (subPath) problems.push(...descendingPath(`${field}.subPath`, subPath));
  if (subPathExpr && subPath) {
    const rule = 'subPathExpr and subPath are mutually exclusive';
    problems.push(invalid(`${field}[${index}].subPathExpr`, subPathExpr, rule));
  }
  if (subPathExpr) problems.push(...descendingPath(`${field}.subPathExpr`, subPathExpr));
  if (mountPropagation) {
    problems.push(...validatePropagation(`${field}.mountPropagation`, mountPropagation, container));
  }
  return [...problems, ...validateRecursive(`${field}.recursiveReadOnly`, mount)];
}

function validatePropagation(field: string, mode: string, container: Container): FieldProblem[] {
  const problems = oneOf(field, mode, ['Bidirectional', 'HostToContainer', 'None']);
  if (mode !== 'Bidirectional' || container.securityContext?.privileged === true) return problems;
  const rule = 'Bidirectional mount propagation is available only to privileged containers';
  return [...problems, forbidden(field, rule)];
}

function validateRecursive(field: string, mount: VolumeMount): FieldProblem[] {
  const { recursiveReadOnly, readOnly, mountPropagation } = mount;
  if (recursiveReadOnly === undefined || recursiveReadOnly === 'Disabled') return [];
  const unknown = oneOf(field, recursiveReadOnly, ['Disabled', 'Enabled', 'IfPossible']);
  if (unknown.length > 0) return unknown;
  const problems: FieldProblem[] = [];
  if (!readOnly) problems.push(forbidden(field, 'may only be specified when readOnly is true'));
  if (mountPropagation && mountPropagation !== 'None') {
    const rule = 'may only be specified when mountPropagation is None or not specified';
    problems.push(forbidden(field, rule));
  }
  return problems;
}

function validateDevice(
  field: string,
  { name, devicePath }: VolumeDevice,
  earlier: readonly VolumeDevice[],
  volumes: Volumes,
): FieldProblem[] {
  const volume = volumes.get(name);
  const problems: FieldProblem[] = [];
  if (!name) problems.push(required(`${field}.name`));
  if (name && earlier.some((device) => device.name === name)) {
    problems.push(invalid(`${field}.name`, name, 'must be unique'));
  }
  if (volume && !volume.persistentVolumeClaim && !volume.ephemeral) {
    const rule =
      'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode';
    problems.push(invalid(`${field}.name`, name, rule));
  }
  if (!volume) problems.push(notFound(`${field}.name`, name ?? ''));
  if (!devicePath) problems.push(required(`${field}.devicePath`));
  else if (devicePath.split('/').includes('..')) {
    problems.push(invalid(`${field}.devicePath`, devicePath, "can not contain backsteps ('..')"));
  } else if (earlier.some((device) => device.devicePath === devicePath)) {
    problems.push(invalid(`${field}.devicePath`, devicePath, 'must be unique'));
  }
  return problems;
}
