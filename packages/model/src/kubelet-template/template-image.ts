import { isJsonObject } from '@liqo/kube';
import type { TemplateContext } from './template-rule.ts';

const commandOfLiqo = '/usr/bin/virtual-kubelet';

/**
 * Whether the webhook of Liqo has filled in a container: its image runs the virtual kubelet of Liqo, which is not the one that
 * this installation starts.
 */
export function isOfLiqo(container: unknown): boolean {
  const command = isJsonObject(container) ? container.command : undefined;
  return Array.isArray(command) && command[0] === commandOfLiqo;
}

export function imageProblems(value: unknown, { options }: TemplateContext): readonly string[] {
  const ours = repositoryOf(options.containerImage);
  if (typeof value === 'string' && repositoryOf(value) === ours) return [];
  return [`is not a version of "${ours}", the image of the VkOptionsTemplate`];
}

/** Without tag and digest. A colon before a slash belongs to the port of a registry. */
function repositoryOf(image: string): string {
  const [named = ''] = image.split('@', 1);
  const colon = named.lastIndexOf(':');
  return colon > named.lastIndexOf('/') ? named.slice(0, colon) : named;
}
