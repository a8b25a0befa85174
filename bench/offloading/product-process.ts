import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { Component, type ComponentPlan } from '@liqo/testkit/real-cluster';

export interface Usage {
  readonly cpuSeconds: number;
  readonly residentKb: number;
}

/** Of the kernel: how it counts processor time. */
const ticksPerSecond = 100;

/** A process of the product, alone with its own processor time and memory. */
export class ProductProcess {
  readonly #component: Component;

  constructor(plan: Omit<ComponentPlan, 'env'> & { readonly kubeconfig: string }) {
    const { kubeconfig, ...rest } = plan;
    this.#component = new Component({
      ...rest,
      env: { PATH: process.env.PATH, KUBECONFIG: kubeconfig },
    });
  }

  get name(): string {
    return this.#component.name;
  }

  start(): Promise<void> {
    return this.#component.start();
  }

  async restart(how: 'SIGKILL' | 'SIGTERM' = 'SIGTERM'): Promise<void> {
    await this.#component.stop(how);
    await this.#component.start();
  }

  stop(): Promise<void> {
    return this.#component.stop('SIGTERM');
  }

  usage(): Usage {
    const { pid } = this.#component;
    if (pid === undefined) throw new Error(`Cannot measure ${this.name}: it does not run`);
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [utime = 0, stime = 0] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
      .map(Number);
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const residentKb = Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]);
    return { cpuSeconds: (utime + stime) / ticksPerSecond, residentKb };
  }

  /** What it holds when it has come to rest: looked at until it has not grown for a while. */
  async restingKb(seconds: number): Promise<number> {
    await pause(seconds * 1000);
    return this.usage().residentKb;
  }
}
