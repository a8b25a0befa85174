import { clusterIDInPublic, ShadowPod } from '@liqo/api';
import { type Client, ConfigMap, isForbidden, isNotFound, isUnauthorized } from '@liqo/kube';
import type { ProviderProblem } from '@liqo/model';

interface ProviderCheckOptions {
  readonly client: Client;
  readonly providerClusterID: string;
  /** The namespaces at the provider that are ours to use. */
  readonly namespaces: () => readonly string[];
  /** Told when it is certain enough whom the connection leads to, and when other namespaces are refused than before. */
  readonly onChange: () => void;
}

/**
 * Looks whether a connection is of use: that it leads to the provider and to nobody else, that somebody answers, and that
 * what a virtual node has to do is granted. A server answers `/livez` to many whom it grants nothing.
 */
export class ProviderCheck {
  readonly #options: ProviderCheckOptions;
  #isIdentified = false;
  #refused: readonly string[] = [];
  #turn = 0;

  constructor(options: ProviderCheckOptions) {
    this.#options = options;
  }

  /** Nothing may be done at the provider before. */
  get isIdentified(): boolean {
    return this.#isIdentified;
  }

  /** The namespaces that were refused at the last look. */
  get refused(): readonly string[] {
    return this.#refused;
  }

  /** What is wrong, if anything. Never throws. */
  async look(signal: AbortSignal): Promise<ProviderProblem | undefined> {
    try {
      const stranger = await this.#identify(signal);
      if (stranger !== undefined) return { type: 'wrong-cluster', found: stranger };
      const response = await this.#options.client.raw({ method: 'GET', path: '/livez' }, signal);
      await response.text();
      return await this.#lookAtRights(signal);
    } catch (error) {
      return problemOf(error);
    }
  }

  /** The ID of whoever answers, if it is not the provider's. One that does not say who it is has to be believed. */
  async #identify(signal: AbortSignal): Promise<string | undefined> {
    if (this.#isIdentified) return undefined;
    const { providerClusterID, onChange } = this.#options;
    const found = await this.#readClusterID(signal);
    if (found !== undefined && found !== providerClusterID) return found;
    this.#isIdentified = true;
    onChange();
    return undefined;
  }

  async #readClusterID(signal: AbortSignal): Promise<string | undefined> {
    try {
      const said = await this.#options.client.get(ConfigMap, clusterIDInPublic, signal);
      return said?.data?.CLUSTER_ID;
    } catch (error) {
      if (isForbidden(error) || isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** One namespace after the other is asked for, one at a time; all of them as soon as one is refused. */
  async #lookAtRights(signal: AbortSignal): Promise<ProviderProblem | undefined> {
    const all = this.#options.namespaces();
    const next = all[this.#turn++ % Math.max(all.length, 1)];
    const first = all.filter((name) => name === next || this.#refused.includes(name));
    const refused = await this.#refusedOf(first, signal);
    const others = all.filter((name) => !first.includes(name));
    const more = refused.length > 0 ? await this.#refusedOf(others, signal) : [];
    const answers = [...refused, ...more];
    this.#note(answers.map(({ namespace }) => namespace).sort());
    const [one] = answers;
    const unknown = answers.find(({ error }) => isUnauthorized(error));
    if (unknown) return problemOf(unknown.error);
    if (!one || answers.length < all.length) return undefined;
    return { type: 'forbidden', why: textOf(one.error), namespaces: this.#refused };
  }

  #note(refused: readonly string[]): void {
    const isNews = refused.join() !== this.#refused.join();
    this.#refused = refused;
    if (isNews) this.#options.onChange();
  }

  async #refusedOf(namespaces: readonly string[], signal: AbortSignal): Promise<Refusal[]> {
    const answers = await Promise.all(namespaces.map((name) => this.#ask(name, signal)));
    return answers.flatMap((answer) => answer ?? []);
  }

  /** Another failure than a refusal says nothing of rights. */
  async #ask(namespace: string, signal: AbortSignal): Promise<Refusal | undefined> {
    const selection = { namespace, pageSize: 1, signal };
    try {
      for await (const _page of this.#options.client.pages(ShadowPod, selection)) break;
      return undefined;
    } catch (error) {
      return isForbidden(error) || isUnauthorized(error) ? { namespace, error } : undefined;
    }
  }
}

interface Refusal {
  readonly namespace: string;
  readonly error: unknown;
}

function problemOf(error: unknown): ProviderProblem {
  const why = textOf(error);
  if (isUnauthorized(error)) return { type: 'unauthorized', why };
  if (isForbidden(error)) return { type: 'forbidden', why, namespaces: [] };
  return { type: 'silent', why };
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
