import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Clock, Pod, Stored } from '@liqo/kube';
import { type ProviderAccess, refusalOfProvider } from '../provider-access.ts';
import { sendJson, sendText } from '../respond.ts';
import type { MetricsPage } from '../route.ts';
import { CpuMeter } from './cpu-meter.ts';
import { isMissingApi, type PodUsage, readUsage } from './pod-usage.ts';
import { resourceMetrics } from './resource-metrics.ts';
import { statsSummary } from './stats-summary.ts';

export interface MetricsParts {
  readonly clock: Clock;
  readonly nodeName: string;
  readonly consumerClusterID: string;
  readonly provider: () => ProviderAccess | undefined;
  readonly pods: () => readonly Stored<Pod>[];
}

const prometheusText = 'text/plain; version=0.0.4';

/** Where the metric agent of a provider has the page. Nothing of a request is part of it. */
function scrapePath(consumerClusterID: string, page: MetricsPage): string {
  const consumer = encodeURIComponent(consumerClusterID);
  return `/apis/metrics.liqo.io/v1beta1/scrape/${consumer}/${page}`;
}

/** What the node and its pods use: as the provider's metric agent tells it, or else made from its PodMetrics. */
export class MetricsPages {
  readonly #parts: MetricsParts;
  readonly #meter = new CpuMeter();
  readonly #startedMs: number;

  constructor(parts: MetricsParts) {
    this.#parts = parts;
    this.#startedMs = parts.clock.now();
  }

  async serveSummary(response: ServerResponse): Promise<void> {
    const { clock, nodeName } = this.#parts;
    const pods = await this.#usage(response);
    const node = { nodeName, startedMs: this.#startedMs, nowMs: clock.now() };
    sendJson(response, statsSummary(pods, this.#meter.read(pods), node));
  }

  async servePage(page: MetricsPage, response: ServerResponse): Promise<void> {
    if (await this.#proxy(page, response)) return;
    if (page === 'metrics/resource') return this.#serveResources(response);
    // A page without samples leaves a scraper content; an error would make it call the node down.
    sendText(response, '# The provider has no metrics of this kind\n', prometheusText);
  }

  async #serveResources(response: ServerResponse): Promise<void> {
    const pods = await this.#usage(response);
    const times = this.#meter.read(pods);
    sendText(response, resourceMetrics(pods, times, this.#parts.clock.now()), prometheusText);
  }

  /** Whether the provider has the page. */
  async #proxy(page: MetricsPage, response: ServerResponse): Promise<boolean> {
    const { provider, consumerClusterID } = this.#parts;
    const client = provider()?.client;
    if (!client) return false;
    const path = scrapePath(consumerClusterID, page);
    const headers = { accept: '*/*' };
    const signal = goneSignal(response);
    const answer = await client.raw({ method: 'GET', path, headers }, signal).catch((error) => {
      if (isMissingApi(error)) return undefined;
      throw refusalOfProvider(error);
    });
    if (!answer) return false;
    response.writeHead(200, { 'content-type': `${prometheusText}; charset=utf-8` });
    await pipeline(answer.chunks(), response);
    return true;
  }

  #usage(response: ServerResponse): Promise<readonly PodUsage[]> {
    const { provider, pods, nodeName } = this.#parts;
    const signal = goneSignal(response);
    const question = { provider: provider(), pods: pods(), nodeName, signal };
    return readUsage(question).catch((error) => {
      throw refusalOfProvider(error);
    });
  }
}

/** Aborts when nobody waits for the answer any more. */
function goneSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return gone.signal;
}
