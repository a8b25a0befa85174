import { asItIs, copied, type FieldTable, translated } from './field-rule.ts';

/** Every field of a volume of Kubernetes 1.35. */
export const volumeFields: FieldTable = {
  awsElasticBlockStore: asItIs,
  azureDisk: asItIs,
  azureFile: asItIs,
  cephfs: asItIs,
  cinder: asItIs,
  configMap: asItIs,
  csi: asItIs,
  downwardAPI: copied('Tells of the pod at the provider.'),
  emptyDir: asItIs,
  ephemeral: copied('The claim is made at the provider.'),
  fc: asItIs,
  flexVolume: asItIs,
  flocker: asItIs,
  gcePersistentDisk: asItIs,
  gitRepo: asItIs,
  glusterfs: asItIs,
  hostPath: copied('The policy and the Pod Security level at the provider apply.'),
  image: asItIs,
  iscsi: asItIs,
  name: asItIs,
  nfs: asItIs,
  persistentVolumeClaim: copied(
    'Names a PersistentVolumeClaim of the namespace at the provider: one of the class `liqo` is reflected, any other has to be created there.',
  ),
  photonPersistentDisk: asItIs,
  portworxVolume: asItIs,
  projected: translated(
    'The ConfigMap `kube-root-ca.crt` is taken under the name of its copy at the provider. A service-account token ' +
      'comes from a Secret that the virtual kubelet keeps fresh, or is left out where the pod uses no API server. ' +
      'With `liqo.io/api-server-support: remote`, copied.',
  ),
  quobyte: asItIs,
  rbd: asItIs,
  scaleIO: asItIs,
  secret: asItIs,
  storageos: asItIs,
  vsphereVolume: asItIs,
};
