/**
 * The process that packets of a link go through when something is done to them that the kernel cannot do:
 * `wire-process <socket> <file of interface a> <file of interface b>`. Orders come as lines of JSON over the socket, each is
 * answered by a line when it has been carried out.
 */
import { read, write } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { type Clock, sleep } from '@liqo/kube';
import { systemClock } from '@liqo/runtime';
import { ConnectionResets } from './connection-resets.ts';
import { DelayLine } from './delay-line.ts';
import type { LinkEnd } from './link-faults.ts';
import { parseTcpPacket } from './tcp-packet.ts';
import type { WireOrder } from './wire.ts';

const largestPacket = 65_535;
const questionEveryMs = 250;
const questions = 8;
/** Long enough for the last resets to arrive while their connections are still looked for. */
const afterglowMs = 50;

class WireProcess {
  readonly #clock: Clock;
  readonly #lines: Readonly<Record<LinkEnd, DelayLine<Buffer>>>;
  readonly #files: Readonly<Record<LinkEnd, number>>;
  #resets: ConnectionResets | undefined;

  constructor(clock: Clock, files: Readonly<Record<LinkEnd, number>>) {
    this.#clock = clock;
    this.#files = files;
    this.#lines = {
      a: new DelayLine(clock, (packet) => send(files.a, packet)),
      b: new DelayLine(clock, (packet) => send(files.b, packet)),
    };
    for (const end of ['a', 'b'] as const) this.#receive(end, Buffer.alloc(largestPacket));
  }

  async carryOut(order: WireOrder): Promise<void> {
    if (order.delayMs) {
      this.#lines.a.delayMs = order.delayMs.a;
      this.#lines.b.delayMs = order.delayMs.b;
    }
    if (order.reset) await this.#reset(new ConnectionResets(order.reset));
  }

  async #reset(resets: ConnectionResets): Promise<void> {
    this.#resets = resets;
    for (let asked = 0; asked < questions && !resets.done; asked++) {
      for (const question of resets.questions()) send(this.#files.a, question);
      await this.#waitUntilDone(resets);
    }
    await sleep(this.#clock, afterglowMs);
    this.#resets = undefined;
  }

  async #waitUntilDone(resets: ConnectionResets): Promise<void> {
    const endMs = this.#clock.monotonicMs() + questionEveryMs;
    while (!resets.done && this.#clock.monotonicMs() < endMs) await sleep(this.#clock, 5);
  }

  #receive(end: LinkEnd, space: Buffer): void {
    read(this.#files[end], space, 0, space.length, null, (error, length) => {
      if (error) throw error;
      this.#pass(end, Buffer.from(space.subarray(0, length)));
      this.#receive(end, space);
    });
  }

  #pass(end: LinkEnd, packet: Buffer): void {
    const parsed = this.#resets && parseTcpPacket(packet);
    const instead = parsed && this.#resets?.replace(parsed);
    if (instead) for (const each of instead) send(this.#files[end], each);
    else this.#lines[end].push(packet);
  }
}

/** A packet that the network does not take is a packet lost. */
function send(file: number, packet: Buffer): void {
  write(file, packet, () => undefined);
}

async function obey(wire: WireProcess, connection: Socket): Promise<void> {
  for await (const line of createInterface(connection)) {
    await wire.carryOut(JSON.parse(line));
    connection.write('done\n');
  }
  connection.end();
}

const [socket, a, b] = process.argv.slice(2);
const wire = new WireProcess(systemClock, { a: Number(a), b: Number(b) });
createServer({ allowHalfOpen: true }, (connection) => {
  obey(wire, connection).catch((error) => {
    process.stderr.write(`${error.stack}\n`);
    connection.destroy();
  });
}).listen(socket);
