import type { DiscoveredResource, Discovery } from '@liqo/kube';

/** Each resource once, in the version that the server prefers: discovery lists that one first. */
export function preferredResources(discovery: Discovery): readonly DiscoveredResource[] {
  const preferred = new Map<string, DiscoveredResource>();
  for (const resource of discovery) {
    const name = `${resource.plural}.${resource.group}`;
    if (!preferred.has(name)) preferred.set(name, resource);
  }
  return [...preferred.values()];
}
