import { labels } from '@liqo/api';
import { type Client, Node } from '@liqo/kube';
import { isWrite, type Write } from '../../review/is-write.ts';
import { newProblems, type Problem, refuse } from '../../review/problems.ts';
import { textAt } from '../../review/value-at.ts';
import { forbidden, unchanged } from '../../review/verdict.ts';
import type { Rule } from '../../rule.ts';
import type { Facts } from '../facts.ts';
import { judgeTwice } from '../judge-twice.ts';
import { changedMarks, isOfConsumer } from './consumer-marks.ts';
import { type SliceSurroundings, sliceProblems, wantsNode } from './slice-problems.ts';

export interface SliceRuleParts {
  readonly client: Client;
  readonly ownClusterID: string;
  readonly facts: Pick<Facts, 'namespaces' | 'slices' | 'virtualNodes'>;
}

/**
 * A slice asks a known provider for amounts that can be granted, under a name that is free. The copy that a consumer has here
 * keeps what is the provider's.
 */
export function sliceRule({ client, ownClusterID, facts }: SliceRuleParts): Rule {
  const surroundings = async (
    request: Write,
    source: 'cached' | 'live',
    signal: AbortSignal,
  ): Promise<SliceSurroundings> => {
    const [namespaces, slices, virtualNodes] = await Promise.all([
      facts.namespaces[source](signal),
      facts.slices[source](signal),
      facts.virtualNodes[source](signal),
    ]);
    const name = textAt(request.object, 'metadata', 'name') ?? '';
    const isAsked = name !== '' && wantsNode(request.object);
    const node = isAsked ? await client.get(Node, { name }, signal) : undefined;
    return { ownClusterID, namespaces, slices, virtualNodes, node };
  };
  return {
    path: '/validate/resourceslices',
    review(request, signal) {
      if (!isWrite(request)) return unchanged;
      return judgeTwice(async (source) => {
        const around = await surroundings(request, source, signal);
        const [mark] = marksOfProvider(request, around);
        if (mark) return forbidden(`${mark.path}: ${mark.message}`);
        return refuse(newProblems((object) => sliceProblems(object, around), request));
      });
    },
  };
}

function marksOfProvider(request: Write, { namespaces }: SliceSurroundings): readonly Problem[] {
  if (request.operation !== 'UPDATE') return [];
  const own = namespaces.find(({ metadata }) => metadata.name === request.namespace);
  const peer = own?.metadata.labels?.[labels.remoteClusterID];
  return isOfConsumer(request, peer) ? changedMarks(request) : [];
}
