import type { Deployment } from '@liqo/kube';

/** Its name in every installation. */
export const controllerManagerName = 'liqo-controller-manager';

/** The version of an installation: what its controllers are labelled with, or else the tag of their image. */
export function serverVersion({ metadata, spec }: Deployment): string | undefined {
  const label = metadata?.labels?.['app.kubernetes.io/version'];
  if (label) return label;
  const image = spec?.template.spec?.containers[0]?.image?.split('@', 1)[0];
  return /:([^:/]+)$/.exec(image ?? '')?.[1];
}

/** The labels of the cluster, which its controllers are told with a flag. */
export function clusterLabels({ spec }: Deployment): Readonly<Record<string, string>> {
  const args = spec?.template.spec?.containers[0]?.args ?? [];
  const given = args.flatMap((arg) => /^--cluster-labels=(.*)$/.exec(arg)?.[1]?.split(',') ?? []);
  return Object.fromEntries(
    given.flatMap((pair) => {
      const at = pair.indexOf('=');
      return at < 1 ? [] : [[pair.slice(0, at), pair.slice(at + 1)]];
    }),
  );
}
