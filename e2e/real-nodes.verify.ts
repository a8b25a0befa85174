import { afterAll, beforeAll, describe } from 'vitest';
import { kubeletSuite } from './real-nodes/kubelet-suite.ts';
import { type Ends, linkSuite, openEnds } from './real-nodes/link-suite.ts';
import { nodeFaultSuite } from './real-nodes/node-fault-suite.ts';
import { type Pair, startPair } from './real-nodes/start-pair.ts';
import { streamSuite } from './real-nodes/stream-suite.ts';
import { surroundingsSuite } from './real-nodes/surroundings-suite.ts';
import { workloadSuite } from './real-nodes/workload-suite.ts';

let pair: Pair;
let ends: Ends;

beforeAll(async () => {
  pair = await startPair();
  ends = await openEnds(pair);
});

afterAll(() => pair?.[Symbol.asyncDispose]());

// Mostly they wait: for a kubelet to look again, for a node to be missed. So there are several queues, side by side.
describe.concurrent('pods', () => workloadSuite(() => pair));
describe.concurrent('what is around a pod', () => surroundingsSuite(() => pair));
describe.concurrent('kubectl and a running container', () => streamSuite(() => pair));
describe.concurrent('the kubelet', () => kubeletSuite(() => pair));
describe.concurrent('the loss of a node', () => nodeFaultSuite(() => pair));
describe.concurrent('the link between clusters', () =>
  linkSuite(
    () => pair,
    () => ends,
  ));
