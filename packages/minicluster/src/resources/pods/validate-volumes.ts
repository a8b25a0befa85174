import type {
  ConfigMapVolumeSource,
  DownwardAPIVolumeFile,
  HostPathVolumeSource,
  SecretVolumeSource,
  Volume,
} from 'kubernetes-types/core/v1.d.ts';
import type { ObjectMeta } from 'kubernetes-types/meta/v1.d.ts';
import { validateClaimSpec } from '../storage/claim-spec.ts';
import {
  duplicate,
  type FieldProblem,
  forbidden,
  invalid,
  invalidFor,
  oneOf,
  required,
} from '../validation/field-problem.ts';
import { dnsLabelFaults, dnsSubdomainFaults } from '../validation/names.ts';
import { noBacksteps } from '../validation/paths.ts';
import { isNegative } from '../validation/quantities.ts';
import { validateDownwardFile, validateKeyToPath, validateMode } from './validate-files.ts';
import { validateProjected } from './validate-projected.ts';

/** Problems, and the volumes that are fine: mounts of the others are not there to be found. */
export function validateVolumes(
  field: string,
  volumes: readonly Volume[],
  podMeta: ObjectMeta | undefined,
): { readonly problems: FieldProblem[]; readonly valid: ReadonlyMap<string, Volume> } {
  const valid = new Map<string, Volume>();
  const problems: FieldProblem[] = [];
  for (const [i, volume] of volumes.entries()) {
    const at = `${field}[${i}]`;
    const found = [
      ...validateSource(at, volume, podMeta),
      ...validateVolumeName(`${at}.name`, volume.name),
      ...(valid.has(volume.name) ? [duplicate(`${at}.name`, volume.name)] : []),
    ];
    if (found.length === 0) valid.set(volume.name, volume);
    problems.push(...found);
  }
  return { problems, valid };
}

function validateVolumeName(field: string, name: string): FieldProblem[] {
  return name ? invalidFor(field, name, dnsLabelFaults(name)) : [required(field)];
}

/** In the order in which the server looks at them, which decides whose type is one too many. */
const sourceOrder: readonly string[] = [
  'emptyDir',
  'hostPath',
  'gitRepo',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'secret',
  'nfs',
  'iscsi',
  'glusterfs',
  'flocker',
  'persistentVolumeClaim',
  'rbd',
  'cinder',
  'cephfs',
  'quobyte',
  'downwardAPI',
  'fc',
  'flexVolume',
  'configMap',
  'azureFile',
  'vsphereVolume',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
  'storageos',
  'projected',
  'scaleIO',
  'csi',
  'ephemeral',
  'image',
];

function validateSource(
  field: string,
  volume: Volume,
  podMeta: ObjectMeta | undefined,
): FieldProblem[] {
  const [first, ...more] = sourceOrder.filter((type) => Object.hasOwn(volume, type));
  if (first === undefined) return [required(field, 'must specify a volume type')];
  const surplus = more.map((type) =>
    forbidden(`${field}.${type}`, 'may not specify more than 1 volume type'),
  );
  return [...validateOneSource(`${field}.${first}`, volume, podMeta), ...surplus];
}

function validateOneSource(
  field: string,
  volume: Volume,
  podMeta: ObjectMeta | undefined,
): FieldProblem[] {
  const { emptyDir, hostPath, secret, configMap, downwardAPI, projected, nfs } = volume;
  if (emptyDir) return validateSizeLimit(`${field}.sizeLimit`, emptyDir.sizeLimit);
  if (hostPath) return validateHostPath(field, hostPath);
  if (secret) return validateFiles(field, 'secretName', secret.secretName, secret);
  if (configMap) return validateFiles(field, 'name', configMap.name, configMap);
  if (downwardAPI) return validateDownward(field, downwardAPI.defaultMode, downwardAPI.items ?? []);
  if (projected) return validateProjected(field, projected);
  if (nfs) return validateNfs(field, nfs);
  if (volume.persistentVolumeClaim) {
    return volume.persistentVolumeClaim.claimName ? [] : [required(`${field}.claimName`)];
  }
  if (volume.csi) return volume.csi.driver ? [] : [required(`${field}.driver`)];
  return volume.ephemeral ? validateEphemeral(field, volume, podMeta) : [];
}

function validateSizeLimit(field: string, limit: string | undefined): FieldProblem[] {
  const isFine = limit === undefined || !isNegative(limit);
  return isFine ? [] : [forbidden(field, 'SizeLimit field must be a valid resource quantity')];
}

const hostPathTypes: readonly string[] = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
];

function validateHostPath(field: string, { path, type }: HostPathVolumeSource): FieldProblem[] {
  if (!path) return [required(`${field}.path`)];
  return [
    ...noBacksteps(`${field}.path`, path),
    ...(type === undefined ? [] : oneOf(`${field}.type`, type, hostPathTypes)),
  ];
}

function validateFiles(
  field: string,
  nameField: string,
  name: string | undefined,
  { defaultMode, items = [] }: SecretVolumeSource | ConfigMapVolumeSource,
): FieldProblem[] {
  return [
    ...(name ? [] : [required(`${field}.${nameField}`)]),
    ...validateMode(`${field}.defaultMode`, defaultMode),
    ...items.flatMap((item, i) => validateKeyToPath(`${field}.items[${i}]`, item)),
  ];
}

function validateDownward(
  field: string,
  mode: number | undefined,
  files: readonly DownwardAPIVolumeFile[],
): FieldProblem[] {
  return [
    ...validateMode(`${field}.defaultMode`, mode),
    ...files.flatMap((file) => validateDownwardFile(field, file)),
  ];
}

function validateNfs(field: string, nfs: NonNullable<Volume['nfs']>): FieldProblem[] {
  const problems: FieldProblem[] = [];
  if (!nfs.server) problems.push(required(`${field}.server`));
  if (!nfs.path) problems.push(required(`${field}.path`));
  else if (!nfs.path.startsWith('/')) {
    problems.push(invalid(`${field}.path`, nfs.path, 'must be an absolute path'));
  }
  return problems;
}

function validateEphemeral(
  field: string,
  volume: Volume,
  podMeta: ObjectMeta | undefined,
): FieldProblem[] {
  const template = volume.ephemeral?.volumeClaimTemplate;
  const inside = template
    ? validateClaimSpec(`${field}.volumeClaimTemplate.spec`, template.spec)
    : [required(`${field}.volumeClaimTemplate`)];
  if (!podMeta?.name || !volume.name) return inside;
  const claim = `${podMeta.name}-${volume.name}`;
  const faults = dnsSubdomainFaults(claim).map((fault) => `PVC name "${claim}": ${fault}`);
  const nameField = field.replace(/ephemeral$/, 'name');
  return [...inside, ...invalidFor(nameField, volume.name, faults)];
}
