import { clusterIDExpression } from './cluster-id-template.ts';

const where = '--namespace {{ .Release.Namespace }}';

/** What Helm prints after an installation: where it stands, and the next three commands. */
export const notes = `Liqo is installed in the namespace "{{ .Release.Namespace }}": this cluster is "{{ ${clusterIDExpression} }}".

1. Wait until the controllers and the webhooks run:

     kubectl rollout status ${where} deployment/liqo-controller-manager deployment/liqo-webhook --timeout 2m

2. Make this cluster a consumer of another one, in which Liqo is installed too:

     liqoctl peer --remote-kubeconfig FILE

3. Offload a namespace: its pods may run there from now on:

     liqoctl offload namespace NAME

"liqoctl doctor" says what is wrong. Before you uninstall the release, end the peerings with
"liqoctl unpeer": controllers have to take down what is in use.
`;
