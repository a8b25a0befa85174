import { type Client, type Clock, deepEqual, type Pod, type Stored, sleep } from '@liqo/kube';
import type { Container } from 'kubernetes-types/core/v1.d.ts';
import { containerFiles } from './container-files.ts';
import type { PodPlace } from './downward-api.ts';
import { mountVolumes, type VolumeFiles } from './mount-volumes.ts';
import { PodSources } from './pod-sources.ts';
import { TokenCache } from './token-cache.ts';

export interface PodVolumesOptions {
  readonly client: Client;
  readonly clock: Clock;
  /** The newest version of it. */
  pod(): Stored<Pod>;
  place(): PodPlace;
  /** Told of every try that fails. */
  onFailure(message: string): void;
}

const firstRetryMs = 500;
const longestRetryMs = 122_000;

/** The volumes of a pod: what is in them, now and later. */
export class PodVolumes {
  readonly #options: PodVolumesOptions;
  readonly #tokens: TokenCache;
  readonly #atStart = new Map<string, VolumeFiles>();
  #files: VolumeFiles = new Map();
  #refreshing: Promise<boolean> | undefined;

  constructor(options: PodVolumesOptions) {
    this.#options = options;
    this.#tokens = new TokenCache(options.client, options.clock);
  }

  /** Tries until the volumes can be had, telling why not each time. Whether they were: not when the pod ends first. */
  async mount(ending: AbortSignal): Promise<boolean> {
    let retryMs = firstRetryMs;
    while (!ending.aborted) {
      if (await this.#fetch(ending)) return true;
      await sleep(this.#options.clock, retryMs, ending).catch(() => undefined);
      retryMs = Math.min(2 * retryMs, longestRetryMs);
    }
    return false;
  }

  /** Looks again at what they are made of. Whether that has changed; what cannot be had any more stays as it was. */
  refresh(ending: AbortSignal): Promise<boolean> {
    this.#refreshing ??= this.#refetch(ending).finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  /** What a container that is started now sees. */
  filesAtStart(container: Container): ReadonlyMap<string, string> {
    this.#atStart.set(container.name, this.#files);
    return containerFiles(container, this.#files);
  }

  /** What a container that was started before sees by now. */
  filesNow(container: Container): ReadonlyMap<string, string> {
    return containerFiles(container, this.#files, this.#atStart.get(container.name));
  }

  sources(signal: AbortSignal): PodSources {
    const { client, pod } = this.#options;
    return new PodSources(client, pod().metadata.namespace ?? '', this.#tokens, signal);
  }

  async #refetch(ending: AbortSignal): Promise<boolean> {
    const before = this.#files;
    await this.#fetch(ending);
    return !deepEqual(plain(before), plain(this.#files));
  }

  async #fetch(ending: AbortSignal): Promise<boolean> {
    const { pod, place, onFailure } = this.#options;
    try {
      const sources = this.sources(ending);
      this.#files = await mountVolumes({ pod: pod(), place: place(), sources });
      return true;
    } catch (error) {
      if (!ending.aborted) onFailure(error instanceof Error ? error.message : String(error));
      return false;
    }
  }
}

function plain(files: VolumeFiles): object {
  return [...files].map(([volume, texts]) => [volume, [...texts]]);
}
