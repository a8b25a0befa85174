import { type Advertisement, labels, labelValues } from '@liqo/api';
import { type Node, ownMember, type Stored } from '@liqo/kube';

type Spec = Advertisement['spec'];
type Images = NonNullable<Spec['images']>;

/** What a consumer is told besides what it is offered. It goes along with the next refresh. */
export type Information = Pick<Spec, 'images' | 'neighbors' | 'prices'>;

const most = { images: 500, namesOfImage: 20, neighbors: 100, resources: 30 };
/** Of all names together: they become a part of the Node at the consumer. */
const longestNames = 32_768;

/** Of usable nodes the images, of virtual ones the capacity; prices are the same for all consumers. */
export function offeredInformation(
  consumer: string,
  {
    usable,
    all,
  }: { readonly usable: readonly Stored<Node>[]; readonly all: readonly Stored<Node>[] },
): Information {
  const images = offeredImages(usable);
  const neighbors = offeredNeighbors(all, consumer);
  return {
    ...(images.length > 0 && { images }),
    ...(Object.keys(neighbors).length > 0 && { neighbors }),
    prices: offeredPrices(images),
  };
}

/** Each once, the large ones first: they save the longest downloads. Those of Kubernetes itself say nothing. */
export function offeredImages(nodes: readonly Stored<Node>[]): Images {
  const seen = new Set<string>();
  const images: Images[number][] = [];
  let left = longestNames;
  const found = nodes.flatMap(({ status }) => status?.images ?? []).toSorted(bySize);
  for (const { names = [], sizeBytes } of found) {
    const offered = names
      .filter((name) => !name.includes('k8s') && name.length <= 512 && !seen.has(name))
      .slice(0, most.namesOfImage);
    const length = offered.reduce((sum, name) => sum + name.length, 0);
    if (offered.length === 0 || length > left || images.length === most.images) continue;
    left -= length;
    for (const name of offered) seen.add(name);
    images.push({ names: offered, ...(sizeBytes !== undefined && { sizeBytes }) });
  }
  return images;
}

type NodeImage = NonNullable<NonNullable<Node['status']>['images']>[number];

function bySize(one: NodeImage, other: NodeImage): number {
  const bySizes = (other.sizeBytes ?? 0) - (one.sizeBytes ?? 0);
  if (bySizes !== 0) return bySizes;
  return (one.names?.[0] ?? '') < (other.names?.[0] ?? '') ? -1 : 1;
}

/** The virtual nodes of this cluster, but for those of the consumer itself. */
export function offeredNeighbors(
  nodes: readonly Stored<Node>[],
  consumer: string,
): NonNullable<Spec['neighbors']> {
  const isNeighbor = ({ metadata }: Stored<Node>) =>
    ownMember(metadata.labels, labels.type) === labelValues.virtualNode &&
    ownMember(metadata.labels, labels.remoteClusterID) !== consumer;
  const entries = nodes
    .filter(isNeighbor)
    .map(({ metadata, status }) => [metadata.name, firstOf(status?.allocatable ?? {})] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .slice(0, most.neighbors);
  return Object.fromEntries(entries);
}

function firstOf(amounts: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(amounts).slice(0, most.resources));
}

/** Those of the first releases of Liqo, which knew no others. */
export function offeredPrices(images: Images): NonNullable<Spec['prices']> {
  const names = images.flatMap((image) => image.names ?? []).slice(0, 500);
  const ofImages = names.map((name) => [name, '5'] as const);
  return Object.fromEntries([['cpu', '1'], ['memory', '2m'], ...ofImages]);
}
