import { afterAll, beforeAll, describe } from 'vitest';
import { kubeletSuite } from './real-nodes/kubelet-suite.ts';
import { linkSuite } from './real-nodes/link-suite.ts';
import { nodeFaultSuite } from './real-nodes/node-fault-suite.ts';
import { type Pair, startPair } from './real-nodes/start-pair.ts';
import { streamSuite } from './real-nodes/stream-suite.ts';
import { workloadSuite } from './real-nodes/workload-suite.ts';

let pair: Pair;

beforeAll(async () => {
  pair = await startPair();
});

afterAll(() => pair?.[Symbol.asyncDispose]());

describe('pods', () => workloadSuite(() => pair));
describe('kubectl and a running container', () => streamSuite(() => pair));
describe('the kubelet', () => kubeletSuite(() => pair));
describe('the link between clusters', () => linkSuite(() => pair));
describe('the loss of a node', () => nodeFaultSuite(() => pair));
