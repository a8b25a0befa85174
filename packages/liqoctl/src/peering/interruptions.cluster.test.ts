import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Interruption } from '../surroundings.ts';
import { type PeeringWorld, startPeeringWorld } from '../testing/peering-world.ts';
import { runHere, successful } from '../testing/run-here.ts';

type Side = 'rome' | 'milan';

interface Case {
  readonly line: string;
  readonly at: Side;
  /** Of a command about both clusters. */
  readonly isAboutBoth?: boolean;
  /** Ctrl-C is pressed when this was said. */
  readonly after: RegExp;
  /** What it leaves, and which command goes on or undoes it. */
  readonly says: RegExp;
  /** What is run next, in place of the same command. */
  readonly next?: string;
}

const wait = '--timeout 60s';

/** In this order, in one world: each begins where the one before it ended. */
const cases: readonly Case[] = [
  {
    line: 'create nonce --remote-cluster-id rome',
    at: 'milan',
    after: /Nonce for "rome" is asked for/,
    says: /the Secret for the nonce in "milan" exists\n {2}Run it again to go on: liqoctl create nonce --remote-cluster-id rome$/,
  },
  {
    line: 'generate peering-user --consumer-cluster-id rome',
    at: 'milan',
    after: /Tenant namespace "liqo-tenant-rome" is there already[\s\S]*✔/,
    says: /\n {2}Undo it with liqoctl delete peering-user --consumer-cluster-id rome$/,
    next: 'delete peering-user --consumer-cluster-id rome',
  },
  {
    line: `generate tenant --remote-cluster-id milan --nonce ${Buffer.alloc(64, 7).toString('base64')}`,
    at: 'rome',
    after: /Nonce of "milan" is handed over/,
    says: /the tenant namespace "liqo-tenant-milan" in "rome" exists, the Secret for the signed nonce in "rome" exists\n {2}Run it again to go on$/,
  },
  {
    line: `authenticate ${wait}`,
    at: 'rome',
    isAboutBoth: true,
    after: /Tenant "rome" is created/,
    says: /the Tenant "rome" in "milan" exists\n {2}Run it again to go on, or undo it with liqoctl un\w+ --remote-kubeconfig \S+$/,
  },
  {
    line: `unauthenticate ${wait}`,
    at: 'rome',
    isAboutBoth: true,
    after: /Identity "controlplane-milan"/,
    says: /the Identity "controlplane-milan" of "rome" is marked for deletion.*\n {2}Run it again to go on, or restore it with liqoctl authenticate --remote-kubeconfig \S+$/,
  },
  {
    line: `peer --networking-disabled ${wait}`,
    at: 'rome',
    isAboutBoth: true,
    after: /ResourceSlice "milan" is created/,
    says: /the ResourceSlice "milan" in "rome" exists\n {2}Run it again to go on, or undo it with liqoctl unpeer --remote-kubeconfig \S+$/,
  },
  {
    line: `drain tenant rome --skip-confirm ${wait}`,
    at: 'milan',
    after: /Tenant "rome" is drained/,
    says: /Tenant "rome" is Drained\n {2}It goes on without liqoctl; end it with liqoctl activate tenant rome$/,
  },
  {
    line: `activate tenant rome ${wait}`,
    at: 'milan',
    after: /Tenant "rome" is active/,
    says: /Tenant "rome" is Active\n {2}It goes on without liqoctl; end it with liqoctl drain tenant rome$/,
  },
  {
    line: `unpeer --delete-namespaces ${wait}`,
    at: 'rome',
    isAboutBoth: true,
    after: /✔/,
    says: /the ResourceSlice "milan" of "rome" is marked for deletion.*\n {2}Run it again to go on; if the provider is gone for good, end it with liqoctl force unpeer ID$/,
  },
];

describe('Ctrl-C', () => {
  let world: PeeringWorld;

  beforeAll(async () => {
    world = await startPeeringWorld();
  }, 120_000);

  afterAll(() => world?.[Symbol.asyncDispose]());

  function words(line: string, isAboutBoth: boolean | undefined): readonly string[] {
    return `${line}${isAboutBoth ? ` --remote-kubeconfig ${world.milan.kubeconfig}` : ''}`.split(
      ' ',
    );
  }

  /** Presses Ctrl-C as soon as the text has been said. */
  async function interrupted({ line, at, isAboutBoth, after }: Case) {
    const stop = new AbortController();
    let said = '';
    const write = (text: string) => {
      said += text;
      if (after.test(said)) stop.abort(new Interruption(130));
    };
    const { code } = await runHere(words(line, isAboutBoth), {
      env: { KUBECONFIG: world[at].kubeconfig },
      signal: stop.signal,
      stderr: { write, isTerminal: false },
    });
    return { code, failure: said.slice(said.indexOf('✖')).trimEnd() };
  }

  test.each(cases)('in "$line" says what is left and which command goes on', async (one) => {
    const { code, failure } = await interrupted(one);
    expect(code).toBe(130);
    expect(failure).toMatch(/^✖ Interrupted/);
    expect(failure).toMatch(one.says);
    const env = { KUBECONFIG: world[one.at].kubeconfig };
    await successful(runHere(words(one.next ?? one.line, one.isAboutBoth), { env }));
  });
});
