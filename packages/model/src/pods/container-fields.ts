import { asItIs, copied, type FieldTable, following, translated } from './field-rule.ts';

/** Every field of a container of Kubernetes 1.35; those of an init container are the same. */
export const containerFields: FieldTable = {
  args: asItIs,
  command: asItIs,
  env: translated(
    'Where the pod uses the consumer’s API server, the variables that lead there are added, unless the container sets ' +
      'them, and a reference to `spec.serviceAccountName` becomes the name of the account.',
  ),
  envFrom: asItIs,
  image: following(asItIs),
  imagePullPolicy: asItIs,
  lifecycle: asItIs,
  livenessProbe: asItIs,
  name: asItIs,
  ports: translated(
    'Copied. Of a pod with `hostNetwork`, without the host ports that Kubernetes has filled in because of it.',
  ),
  readinessProbe: asItIs,
  resizePolicy: asItIs,
  resources: following(copied('A resize of a container or sidecar is carried out in place.')),
  restartPolicy: asItIs,
  restartPolicyRules: asItIs,
  securityContext: copied('The Pod Security level of the namespace at the provider applies.'),
  startupProbe: asItIs,
  stdin: asItIs,
  stdinOnce: asItIs,
  terminationMessagePath: asItIs,
  terminationMessagePolicy: asItIs,
  tty: asItIs,
  volumeDevices: asItIs,
  volumeMounts: asItIs,
  workingDir: asItIs,
};
