import { annotations, type ForeignCluster } from '@liqo/api';
import type { Stored } from '@liqo/kube';
import { expect, test } from 'vitest';
import { isGoneForGood } from './is-gone-for-good.ts';

function peer(mark: string | undefined, status?: 'Established' | 'Error'): Stored<ForeignCluster> {
  return {
    metadata: {
      annotations: mark === undefined ? {} : { [annotations.permanentlyUnreachable]: mark },
    },
    ...(status && { status: { conditions: [{ type: 'APIServerStatus', status }] } }),
  } as unknown as Stored<ForeignCluster>;
}

test.each([
  ['nobody knows', undefined, false],
  ['does not answer', peer(undefined, 'Error'), false],
  ['a person has given up, and that does not answer', peer('true', 'Error'), true],
  ['a person has given up, and of which nothing is known', peer('true'), true],
  ['a person has given up, but that answers', peer('true', 'Established'), false],
  ['somebody has not given up', peer('false', 'Error'), false],
])('isGoneForGood() of a peer that %s', (_, foreignCluster, isGone) => {
  expect(isGoneForGood(foreignCluster)).toBe(isGone);
});
