import { annotations } from '@liqo/api';
import { expect, test } from 'vitest';
import { isSkipped, isSkippedExplicitly } from './is-skipped.ts';

const { skipReflection: skip, allowReflection: allow } = annotations;

test.each<[Record<string, string> | undefined, boolean, boolean, boolean]>([
  [undefined, false, true, false],
  [{ [skip]: 'true' }, true, true, true],
  [{ [skip]: '' }, true, true, true],
  [{ [skip]: 'False' }, false, true, false],
  [{ [allow]: 'true' }, false, false, false],
  [{ [allow]: '' }, false, false, false],
  [{ [allow]: 'FALSE' }, false, true, true],
  [{ [allow]: 'true', [skip]: 'true' }, true, false, true],
])(
  'isSkipped() of %j is %s with DenyList, %s with AllowList, %s for what every namespace needs',
  (notes, denyList, allowList, explicitly) => {
    const object = { metadata: { ...(notes && { annotations: notes }) } };
    expect(isSkipped(object, 'DenyList')).toBe(denyList);
    expect(isSkipped(object, 'AllowList')).toBe(allowList);
    expect(isSkippedExplicitly(object)).toBe(explicitly);
  },
);
