import manifest from '../package.json' with { type: 'json' };
import type { Values } from './values.ts';

/**
 * The labels of Liqo's chart. Clients of Liqo find the Deployment by its name and its component. The selector of a
 * Deployment is immutable, so it has to be that of Liqo's chart from the first installation on.
 */
export function componentSelector(
  { releaseName }: Pick<Values, 'releaseName'>,
  name: 'controller-manager' | 'webhook',
): Record<string, string> {
  return {
    'app.kubernetes.io/name': name,
    'app.kubernetes.io/instance': `${releaseName}-${name}`,
    'app.kubernetes.io/component': name,
    'app.kubernetes.io/part-of': 'liqo',
  };
}

/** Embedded clusters get them too: they are installed with what `helm template` prints. */
export const releaseLabels: Record<string, string> = {
  'helm.sh/chart': `liqo-${manifest.version}`,
  'app.kubernetes.io/version': manifest.version,
  'app.kubernetes.io/managed-by': 'Helm',
};
