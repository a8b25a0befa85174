import { flagName, joinFlagValues } from '../nodes/flags.ts';
import type { TemplateContext } from './template-rule.ts';

/** Those that give a virtual kubelet rights, or that have it check less of what a provider says. */
const switches = ['--allow-insecure-peers', '--enable-apiserver-support'];
const guardedFlags = new Set([
  ...switches,
  '--certificate-type',
  '--home-api-server-host',
  '--home-api-server-port',
  '--home-kubeconfig',
  '--liqo-namespace',
  '--remote-podcidr',
]);

export function argumentProblems(value: unknown, { args }: TemplateContext): readonly string[] {
  const own = (Array.isArray(value) ? value : [value]).map(String);
  const known = new Set(args.map(normalized));
  const flags = joinFlagValues(own);
  const denied = flags.filter(
    (flag) => guardedFlags.has(flagName(flag)) && !isOff(flag) && !known.has(normalized(flag)),
  );
  // Kubernetes replaces $(NAME) by a variable, so that the name of such a flag is not known here.
  const unnamed = flags.filter((flag) => flagName(flag).includes('$'));
  return [
    ...unnamed.map((flag) => `has "${flag}", whose name has a variable in it`),
    ...denied.map((flag) => `has "${flag}", which the VkOptionsTemplate does not have`),
  ];
}

function normalized(flag: string): string {
  const name = flagName(flag);
  const value = flag.includes('=') ? flag.slice(flag.indexOf('=') + 1) : 'true';
  return `${name}=${value}`;
}

function isOff(flag: string): boolean {
  return switches.includes(flagName(flag)) && /=(false|f|0)$/i.test(flag);
}
