import { VirtualNode } from '@liqo/api';
import { findCondition, Node } from '@liqo/kube';
import { findCarelessWrites } from '@liqo/testkit/faults';
import type { Blueprint } from '../world/blueprint.ts';
import { type SimulatedWorld, startSimulatedWorld } from '../world/simulated-world.ts';
import { Fate } from './fate.ts';
import type { Story } from './generate-story.ts';
import { findWrongNodes } from './invariants/nodes.ts';
import { findLies, findSilent, findStrays } from './invariants/pods.ts';
import { describeCall, findRestless, restMs } from './invariants/rest.ts';
import { home, providers, virtualNodes } from './names.ts';
import { performUserStep } from './perform-user-step.ts';
import { PodHistory } from './pod-history.ts';
import type { Fault, Step, UserStep } from './step.ts';
import { Strangers } from './strangers.ts';
import { surveyCluster } from './survey.ts';

export interface StoryResult {
  /** What must not be; empty when all is well. */
  readonly wrongs: readonly string[];
  /** The number of the step after which it was seen. */
  readonly step?: number;
  /** How many calls the product made, and a digest of them in their order. */
  readonly calls: readonly string[];
  readonly simulatedMs: number;
}

/** What the worlds of these clusters begin with. */
export type BlueprintOf = (clusters: readonly string[]) => Promise<Blueprint>;

/** Plays a story in a new world, and looks whether everything is as it must be. */
export async function runStory(story: Story, blueprintOf: BlueprintOf): Promise<StoryResult> {
  const { seed, clusters } = story;
  const blueprint = await blueprintOf(clusters);
  await using world = await startSimulatedWorld({ seed, blueprint });
  await using telling = new Telling(world, seed);
  await telling.prepare(story);
  for (const [step, what] of story.steps.entries()) {
    const wrongs = await telling.take(what);
    if (wrongs.length > 0) return { wrongs, step, ...telling.facts() };
  }
  const isAtRest = story.steps.at(-1)?.type === 'calm';
  return { wrongs: isAtRest ? await telling.rest() : [], ...telling.facts() };
}

/** By then every virtual kubelet has noticed that it cannot reach its provider. */
const noticedMs = 90_000;

class Telling implements AsyncDisposable {
  readonly #world: SimulatedWorld;
  readonly #fate: Fate;
  readonly #strangers: Strangers;
  readonly #history: PodHistory;
  #baseline: ReadonlyMap<string, ReadonlySet<string>> = new Map();
  #isTakenDown = false;
  /** How many calls have been found to be careful. */
  #judged = 0;

  constructor(world: SimulatedWorld, seed: number) {
    this.#world = world;
    this.#fate = new Fate(world, seed);
    this.#strangers = new Strangers(world);
    this.#history = new PodHistory(world);
  }

  async prepare({ steps }: Story): Promise<void> {
    if (steps.some(({ type }) => type === 'lose-machine')) await this.#fate.addMachine();
    await this.#world.pass(1_000);
    this.#baseline = this.#inventories();
  }

  async take(step: Step): Promise<readonly string[]> {
    this.#isTakenDown = step.type === 'take-down' || (this.#isTakenDown && step.type === 'calm');
    if (step.type === 'pass') await this.#world.pass(step.ms);
    else if (step.type === 'calm') return this.#calm();
    else if (isUserStep(step)) {
      if (destroysRecords.has(step.type)) this.#history.forgiveUnsaid();
      await performUserStep({ world: this.#world, strangers: this.#strangers }, step);
    } else await this.#fate.strike(step);
    return [...this.#noticed(), ...this.#findFalseReadiness()];
  }

  facts(): Pick<StoryResult, 'calls' | 'simulatedMs'> {
    const calls = [...this.#world.clusters.values()].flatMap(({ name, faults }) =>
      faults.calls.map((call) => `${name} ${describeCall(call)}`),
    );
    return { calls, simulatedMs: this.#world.clock.monotonicMs() };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#history[Symbol.asyncDispose]();
  }

  async #calm(): Promise<readonly string[]> {
    await this.#fate.relent();
    try {
      await this.#world.settle();
    } catch (error) {
      return [...this.#noticed(), error instanceof Error ? error.message : String(error)];
    }
    return [...this.#noticed(), ...(await this.#findWrongs())];
  }

  /** At whatever moment it was. */
  #noticed(): readonly string[] {
    const { found } = this.#world.frenzy;
    return [
      ...this.#history.wrongs,
      ...(found === undefined ? [] : [found]),
      ...this.#world.denials.map((denial) => `the product lacks a right ${denial}`),
    ];
  }

  async #findWrongs(): Promise<readonly string[]> {
    const world = this.#world;
    const here = surveyCluster(world, home);
    const there = providers.filter((name) => world.clusters.has(name));
    const names = here.all(VirtualNode).map(({ metadata }) => metadata.name);
    const surveys = {
      home: here,
      providers: there.map((name) => surveyCluster(world, name)),
      virtualNodes: new Set(names),
    };
    return [
      ...findStrays(surveys),
      ...findLies(surveys),
      ...findSilent(surveys),
      ...findWrongNodes({ home: here, taken: this.#taken() }),
      ...(await this.#strangers.findHarm()),
      ...this.#findNewCarelessWrites(),
      ...(this.#isTakenDown ? this.#findLeftovers() : []),
    ];
  }

  /** A story ends with the first that is found. */
  #findNewCarelessWrites(): readonly string[] {
    const { calls } = this.#world;
    const careless = findCarelessWrites(calls.slice(this.#judged));
    this.#judged = calls.length;
    return careless;
  }

  #taken(): ReadonlySet<string> {
    const isTaken = this.#strangers.has('node') || this.#strangers.has('virtual kubelet');
    return new Set(isTaken ? [virtualNodes[1]] : []);
  }

  #inventories(): ReadonlyMap<string, ReadonlySet<string>> {
    const names = [...this.#world.clusters.keys()];
    return new Map(names.map((name) => [name, surveyCluster(this.#world, name).inventory()]));
  }

  /** Kubeconfig Secrets are the user's own. */
  #findLeftovers(): string[] {
    return [...this.#inventories()].flatMap(([cluster, names]) => {
      const before = this.#baseline.get(cluster) ?? new Set();
      const left = [...names].filter(
        (name) => !before.has(name) && !/^secrets liqo-tenant-/.test(name),
      );
      const lost = [...before].filter((name) => !names.has(name));
      return [
        ...left.map((name) => `${name} is left at ${cluster}`),
        ...lost.map((name) => `${name} is gone from ${cluster}`),
      ];
    });
  }

  /**
   * Nothing is written while nothing happens, but for signs of life. Pods that are put out meanwhile are something: the others that
   * come in their place have their say, and then it rests again.
   */
  async rest(): Promise<readonly string[]> {
    const { calls } = this.#world;
    for (let tries = 0; tries < 3; tries++) {
      const [before, evicted] = [calls.length, this.#evicted()];
      await this.#world.pass(restMs);
      if (this.#evicted() === evicted) return findRestless(calls.slice(before));
      const wrongs = await this.#calm();
      if (wrongs.length > 0) return wrongs;
    }
    return ['pods are put out again and again, though nothing has happened'];
  }

  #evicted(): number {
    const { clusters } = this.#world;
    return [...clusters.values()].reduce((sum, { journal }) => sum + journal.evicted, 0);
  }

  #findFalseReadiness(): readonly string[] {
    if ((this.#fate.outOfReachMs ?? 0) < noticedMs) return [];
    const here = surveyCluster(this.#world, home);
    return here
      .all(Node)
      .filter(({ metadata }) => virtualNodes.some((name) => name === metadata.name))
      .filter(({ status }) => findCondition(status?.conditions, 'Ready')?.status === 'True')
      .map(
        ({ metadata }) => `the node "${metadata.name}" is ready, and nobody reaches its provider`,
      );
  }
}

const destroysRecords: ReadonlySet<string> = new Set([
  'delete-shadow-pod',
  'delete-remote-namespace',
] satisfies UserStep['type'][]);

const faultTypes: ReadonlySet<string> = new Set([
  'kill',
  'restart',
  'cut-link',
  'heal-link',
  'storm',
  'slow-calls',
  'stale-watches',
  'forget-history',
  'lose-machine',
  'spoil-kubeconfig',
  'delete-kubeconfig',
  'deny',
  'end-denials',
  'second-kubelet',
] satisfies Fault['type'][]);

function isUserStep(step: Exclude<Step, { type: 'pass' | 'calm' }>): step is UserStep {
  return !faultTypes.has(step.type);
}
