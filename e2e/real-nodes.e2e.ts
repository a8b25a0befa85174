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

// Mostly they wait: for a kubelet to look again, for a back-off to end. So they do it together.
describe.concurrent('pods', () => workloadSuite(() => pair));
describe.concurrent('kubectl and a running container', () => streamSuite(() => pair));
describe.concurrent('the kubelet', () => kubeletSuite(() => pair));
describe.concurrent('the link between clusters', () => linkSuite(() => pair));
// Alone, as the others could not do without their nodes.
describe('the loss of a node', () => nodeFaultSuite(() => pair));
