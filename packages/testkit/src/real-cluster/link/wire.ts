import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Component } from '../component.ts';
import type { Machine } from '../machine/machine.ts';
import { type Connection, parseConnections } from './connection.ts';
import { detour, type LinkEnd, port } from './link-faults.ts';

/** What the process is told to do (wire-process.ts). */
export interface WireOrder {
  readonly delayMs?: Readonly<Record<LinkEnd, number>>;
  readonly reset?: readonly Connection[];
}

const ends = ['a', 'b'] as const;
/** The routing table of packets that came in at an end and have to take the detour. */
const tables: Readonly<Record<LinkEnd, number>> = { a: 101, b: 102 };

/** A detour of the packets of a link through a process of ours, which can hold them back and speak in their name. */
export class Wire {
  readonly #router: Machine;
  readonly #process: Component;
  readonly #socket: string;
  #detours: readonly LinkEnd[] = [];
  #delayed: readonly LinkEnd[] = [];

  constructor(router: Machine, name: string, folder: string) {
    this.#router = router;
    this.#socket = join(folder, `${name}.sock`);
    this.#process = forgeProcess(router, name, folder, this.#socket);
  }

  /** How much later packets arrive that come in at each end; 0 leaves them to the kernel. */
  async setDelays(delayMs: Readonly<Record<LinkEnd, number>>): Promise<void> {
    this.#delayed = ends.filter((end) => delayMs[end] > 0);
    if (this.#delayed.length > 0) await this.#start();
    if (this.#process.pid !== undefined) await this.#order({ delayMs });
    await this.#redirect(this.#delayed);
  }

  /** Resets every connection that is open now, at both of its ends. */
  async reset(): Promise<void> {
    await this.#start();
    await this.#redirect(ends);
    const printed = await this.#router.run(['cat', '/proc/net/nf_conntrack']);
    await this.#order({ reset: parseConnections(printed) });
    await this.#redirect(this.#delayed);
  }

  async #start(): Promise<void> {
    if (this.#process.pid !== undefined) return;
    rmSync(this.#socket, { force: true });
    await this.#process.start();
    await this.#router.ip(
      ...ends.flatMap((end) => [
        `link set ${detour(end)} up`,
        `route add default dev ${detour(end)} table ${tables[end]}`,
      ]),
    );
  }

  /** A packet that comes out of the detour has come in there, and goes on like any other. */
  async #redirect(wanted: readonly LinkEnd[]): Promise<void> {
    const rules = ends.flatMap((end) => {
      const rule = `iif ${port(end)} lookup ${tables[end]}`;
      if (wanted.includes(end) === this.#detours.includes(end)) return [];
      return [`rule ${wanted.includes(end) ? 'add' : 'delete'} ${rule}`];
    });
    if (rules.length > 0) await this.#router.ip(...rules);
    this.#detours = wanted;
  }

  async #order(order: WireOrder): Promise<void> {
    const connection = connect(this.#socket);
    await once(connection, 'connect');
    connection.end(`${JSON.stringify(order)}\n`);
    if ((await text(connection)) !== 'done\n')
      throw new Error(`Cannot change a link: see "${this.#process.logFile}"`);
  }
}

function forgeProcess(router: Machine, name: string, folder: string, socket: string): Component {
  const here = import.meta.dirname;
  const command = [
    ...router.entrance,
    ...['perl', join(here, 'open-tunnels.pl'), ...ends.map(detour), '--'],
    ...[process.execPath, '--import', import.meta.resolve('tsx')],
    ...[join(here, 'wire-process.ts'), socket],
  ];
  const checkReady = async () => {
    if (!existsSync(socket)) throw new Error('it does not listen yet');
  };
  return new Component({ name, command, flags: {}, folder, checkReady });
}
