import type {
  DownwardAPIVolumeFile,
  EphemeralVolumeSource,
  ProjectedVolumeSource,
  Volume,
  VolumeProjection,
} from 'kubernetes-types/core/v1.d.ts';
import { changeEach, changeIn, fillIn } from '../fill-in.ts';
import { defaultClaimSpec } from '../storage/claim-spec.ts';
import { defaultFieldRef, pullPolicyFor } from './container-defaults.ts';

/** Octal, as `chmod` has it. */
const readable = 0o644;

/** What older kinds of volumes are given, by the name of the kind. */
const sourceDefaults: Readonly<Record<string, object>> = {
  secret: { defaultMode: readable },
  configMap: { defaultMode: readable },
  downwardAPI: { defaultMode: readable },
  projected: { defaultMode: readable },
  hostPath: { type: '' },
  iscsi: { iscsiInterface: 'default' },
  rbd: { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' },
  azureDisk: { cachingMode: 'ReadWrite', fsType: 'ext4', kind: 'Shared', readOnly: false },
  scaleIO: { storageMode: 'ThinProvisioned', fsType: 'xfs' },
};

export function defaultVolume(volume: Volume): Volume {
  const { name, ...sources } = volume;
  if (Object.keys(sources).length === 0) return { name, emptyDir: {} };
  const complete = Object.entries(sources).map(([kind, source]) => [
    kind,
    fillIn(source as object, sourceDefaults[kind] ?? {}),
  ]);
  return defaultInside({ name, ...Object.fromEntries(complete) });
}

type WithImage = { readonly image?: { readonly reference?: string; pullPolicy?: string } };

function defaultInside(volume: Volume): Volume {
  let complete = changeIn(volume, 'downwardAPI', (source) =>
    changeEach(source, 'items', defaultFile),
  );
  complete = changeIn(complete, 'projected', defaultProjected);
  complete = changeIn(complete, 'ephemeral', defaultEphemeral);
  return changeIn(complete as WithImage, 'image', (image) =>
    fillIn(image, { pullPolicy: pullPolicyFor(image.reference ?? '') }),
  ) as Volume;
}

function defaultFile(file: DownwardAPIVolumeFile): DownwardAPIVolumeFile {
  return changeIn(file, 'fieldRef', defaultFieldRef);
}

function defaultProjected(volume: ProjectedVolumeSource): ProjectedVolumeSource {
  return changeEach(volume, 'sources', (source: VolumeProjection) => {
    const complete = changeIn(source, 'downwardAPI', (projection) =>
      changeEach(projection, 'items', defaultFile),
    );
    return changeIn(complete, 'serviceAccountToken', (token) =>
      fillIn(token, { expirationSeconds: 3600 }),
    );
  });
}

function defaultEphemeral(volume: EphemeralVolumeSource): EphemeralVolumeSource {
  return changeIn(volume, 'volumeClaimTemplate', (template) =>
    changeIn(template, 'spec', defaultClaimSpec),
  );
}
