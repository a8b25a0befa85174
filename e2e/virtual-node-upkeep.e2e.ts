import { afterAll, beforeAll, describe } from 'vitest';
import { credentialSuite } from './virtual-node/credential-suite.ts';
import { handoverSuite } from './virtual-node/handover-suite.ts';
import { type Stage, setStage } from './virtual-node/stage.ts';
import { tokenSuite } from './virtual-node/token-suite.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await setStage();
});

afterAll(() => stage?.[Symbol.asyncDispose]());

// Mostly they wait: for a provider to be given up, for a lease to run out. So each has a virtual node of its own.
describe.concurrent('two virtual kubelets', () => {
  handoverSuite(() => stage, 'mynode');
  tokenSuite(() => stage);
});
describe.concurrent('two other virtual kubelets', () => handoverSuite(() => stage, 'yournode'));
credentialSuite(() => stage);
