import { labels } from '@liqo/api';
import { describe, expect, test } from 'vitest';
import { remoteUnavailableChange } from './remote-unavailable.ts';

const node = (status: string) => ({
  status: { conditions: [{ type: 'Ready', status }] },
});
const pod = (value?: string) => ({
  metadata: { labels: { app: 'web', ...(value && { [labels.remoteUnavailable]: value }) } },
});

describe('remoteUnavailableChange()', () => {
  test.each([
    ['marks a pod whose node is not ready', pod(), node('False'), 'true'],
    ['marks a pod whose node is lost', pod(), node('Unknown'), 'true'],
    ['marks a pod whose node never said anything', pod(), {}, 'true'],
    ['corrects a mark that says something else', pod('no'), node('False'), 'true'],
    ['leaves a mark', pod('true'), node('False'), undefined],
    ['takes the mark off when the node is ready again', pod('true'), node('True'), null],
    ['leaves a pod whose node is ready', pod(), node('True'), undefined],
    ['leaves a pod of no node', pod('true'), undefined, undefined],
  ])('%s', (_, one, its, change) => {
    expect(remoteUnavailableChange(one, its)).toBe(change);
  });
});
