import { defineKind, type Kind, type KubeObject } from '@liqo/kube';

/** The kind to create an object of `forgeManifests` with. The plural of every kind in there is regular. */
export function kindOfManifest({ apiVersion = '', kind = '' }: KubeObject): Kind {
  const scope = /^(Namespace|Cluster)/.test(kind) ? 'Cluster' : 'Namespaced';
  return defineKind({ apiVersion, kind, plural: `${kind.toLowerCase()}s`, scope });
}
