import { defineKind, type Kind, type KubeObject } from '@liqo/kube';

/** The kind to create an object of `forgeManifests` with. */
export function kindOfManifest({ apiVersion = '', kind = '' }: KubeObject): Kind {
  const scope = /^(Namespace$|(Runtime|Storage)Class$|Cluster|Mutating|Validating)/.test(kind)
    ? 'Cluster'
    : 'Namespaced';
  const plural = `${kind.toLowerCase()}s`.replace(/ys$/, 'ies').replace(/sss$/, 'sses');
  return defineKind({ apiVersion, kind, plural, scope });
}
