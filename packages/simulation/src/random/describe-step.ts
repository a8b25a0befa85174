import type { Step } from './step.ts';

/** A step in one line, for people. */
export function describeStep(step: Step): string {
  switch (step.type) {
    case 'offload':
      return `offload ${step.namespace} (${step.naming}, ${step.pods})`;
    case 'deploy':
      return `deploy ${step.namespace}/${step.name} with ${step.replicas} replicas, ${step.where}${step.sidecar ? ', with a sidecar' : ''}`;
    case 'scale':
      return `scale ${step.namespace}/${step.name} to ${step.replicas}`;
    case 'update':
      return `update ${step.namespace}/${step.name} to version ${step.version}`;
    case 'delete-pod':
    case 'delete-remote-pod':
      return `${words(step.type)} number ${step.pick}, ${step.how}`;
    case 'set-create-node':
      return `set createNode of ${step.node} to ${step.on}`;
    case 'set-api-server-support':
      return `turn API server support ${step.on ? 'on' : 'off'}`;
    case 'resize-pod':
      return `resize pod number ${step.pick}: ${step.container} to ${step.cpu} cpu`;
    case 'deny':
      return `${step.cluster} answers ${step.status} to ${step.process}`;
    case 'cordon':
      return `${step.on ? 'cordon' : 'uncordon'} ${step.node}`;
    case 'put-stranger':
      return `somebody else takes the name of a ${step.stranger}`;
    case 'take-down':
      return `take down ${step.order.join(', then ')}`;
    case 'kill':
      return `kill ${step.process} for ${seconds(step.forMs)}`;
    case 'cut-link':
      return `cut the link: ${step.how}`;
    case 'storm':
      return `${step.what} at ${step.cluster} for ${step.ofTen} of ten calls`;
    case 'pass':
      return `${seconds(step.ms)} pass`;
    case 'calm':
      return 'all faults end, and everything comes to rest';
    default:
      return [words(step.type), ...others(step)].join(' ');
  }
}

function others({ type: _, ...rest }: Step): string[] {
  const values = Object.entries(rest).map(([key, value]) =>
    key === 'ms' ? seconds(value) : value,
  );
  return values.map(String);
}

function words(type: string): string {
  return type.replaceAll('-', ' ');
}

function seconds(ms: number): string {
  return `${ms / 1_000} s`;
}
