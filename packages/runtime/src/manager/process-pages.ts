import type { Logger } from '../log/log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { type HealthChecks, runHealthChecks } from './health-checks.ts';
import {
  type Endpoint,
  type HttpEndpoints,
  plainAnswer,
  startHttpEndpoints,
} from './http-endpoints.ts';

interface Listener {
  /** Zero for any that is free. */
  readonly port: number;
  /** All addresses when absent. */
  readonly host?: string;
}

export interface ProcessPagesOptions {
  /** Serves `/healthz` and `/readyz`; also `/metrics` unless those have a port of their own. */
  readonly health?: Listener;
  readonly metricsServer?: Listener | 'none';
  readonly metrics?: Metrics;
  /** Whether the process is alive: if not, it had better be restarted. */
  readonly healthChecks?: HealthChecks;
  /** Whether the process can do its work now. */
  readonly readyChecks?: HealthChecks;
  readonly log: Logger;
}

export interface ProcessPages extends AsyncDisposable {
  readonly healthPort: number | undefined;
  readonly metricsPort: number | undefined;
}

/** What a process tells about itself over HTTP: to the kubelet, and to Prometheus. */
export async function startProcessPages(options: ProcessPagesOptions): Promise<ProcessPages> {
  const { health, metricsServer, log } = options;
  const shared = metricsServer ? {} : metricsEndpoints(options);
  const started: HttpEndpoints[] = [];
  const start = async (listener: Listener, endpoints: Readonly<Record<string, Endpoint>>) => {
    const server = await startHttpEndpoints({ ...listener, endpoints, log });
    started.push(server);
    return server.port;
  };
  const stop = async () => {
    for (const server of started) await server[Symbol.asyncDispose]();
  };
  const separate = metricsServer === 'none' ? undefined : metricsServer;
  try {
    const healthPort = health && (await start(health, { ...healthEndpoints(options), ...shared }));
    const ownPort = separate && (await start(separate, metricsEndpoints(options)));
    return { healthPort, metricsPort: ownPort ?? healthPort, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function healthEndpoints(options: ProcessPagesOptions): Record<string, Endpoint> {
  return {
    '/healthz': checked('healthz', { ping: () => undefined, ...options.healthChecks }),
    '/readyz': checked('readyz', { ping: () => undefined, ...options.readyChecks }),
  };
}

/** `ok` alone when all is well; every check by name when not, or when asked with `?verbose`. */
function checked(name: string, checks: HealthChecks): Endpoint {
  return async (query) => {
    const { ok, text } = await runHealthChecks(name, checks);
    if (!ok) return plainAnswer(500, text);
    return plainAnswer(200, query.has('verbose') ? text : 'ok');
  };
}

function metricsEndpoints({ metrics }: ProcessPagesOptions): Record<string, Endpoint> {
  if (!metrics) return {};
  return {
    '/metrics': async () => ({
      status: 200,
      contentType: metrics.contentType,
      body: await metrics.text(),
    }),
  };
}
