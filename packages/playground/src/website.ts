import { createServer, type Server } from 'node:http';
import { type Clock, sleep } from '@liqo/kube';
import type { Program, ProgramContext } from '@liqo/minicluster';
import type { PodTemplate } from './kubernetes.ts';

const greetAgainMs = 5_000;
const host = '127.0.0.1';

export const websiteImage = 'localhost/website:dev';

export function forgeWebsite(port: number): PodTemplate {
  const container = {
    name: 'web',
    image: websiteImage,
    args: [String(port)],
    ports: [{ name: 'http', containerPort: port }],
  };
  return { spec: { terminationGracePeriodSeconds: 1, containers: [container] } };
}

/**
 * The program of a container: it tells now and then that it is there, and serves a page at the port that its argument
 * names. The pods of embedded clusters share the ports of the machine, so one server answers for all of them.
 */
export function websiteProgram(clock: Clock): Program {
  const site = new SharedSite();
  return async ({ args, stdout, signal, pod }: ProgramContext) => {
    const { name } = pod.metadata;
    await using _ = await site.open(Number(args[0]), name);
    for (;;) {
      stdout.write(`${new Date(clock.now()).toISOString()} ${name} is open\n`);
      const isOver = await sleep(clock, greetAgainMs, signal).then(
        () => false,
        () => true,
      );
      if (isOver) return 0;
    }
  };
}

/** Open as long as one of its pods is; the one that opened first answers. */
class SharedSite {
  readonly #names: string[] = [];
  #server: Promise<Server> | undefined;

  async open(port: number, name: string): Promise<AsyncDisposable> {
    this.#names.push(name);
    this.#server ??= serve(port, () => `Hello from ${this.#names[0]}\n`);
    try {
      await this.#server;
      return { [Symbol.asyncDispose]: () => this.#leave(name) };
    } catch (error) {
      this.#server = undefined;
      this.#forget(name);
      throw error;
    }
  }

  async #leave(name: string): Promise<void> {
    this.#forget(name);
    if (this.#names.length > 0) return;
    const closing = this.#server;
    this.#server = undefined;
    const server = await closing;
    server?.closeAllConnections();
    await new Promise((resolve) => server?.close(resolve));
  }

  #forget(name: string): void {
    this.#names.splice(this.#names.indexOf(name), 1);
  }
}

function serve(port: number, page: () => string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((_, response) => void response.end(page()));
    server.once('error', reject);
    server.listen(port, host, () => resolve(server));
  });
}
