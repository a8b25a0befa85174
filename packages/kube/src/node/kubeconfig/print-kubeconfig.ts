import { dump } from 'js-yaml';
import type { Kubeconfig } from './kubeconfig.ts';

/** The YAML of a kubeconfig, secrets and all. */
export function printKubeconfig(config: Kubeconfig): string {
  return dump(config, { lineWidth: -1, seqNoIndent: true });
}
