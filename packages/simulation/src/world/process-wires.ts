import { type InProcessServer, InProcessTransport, type Transport } from '@liqo/kube';

/** All connections of one life of a process. They are cut all at once. */
export class ProcessWires {
  readonly #wires: InProcessTransport[] = [];
  #isCut = false;

  /** For a `Client` of the process. */
  to(serve: InProcessServer): Transport {
    const wire = new InProcessTransport(serve);
    this.#wires.push(wire);
    if (this.#isCut) wire.cut();
    return wire;
  }

  cut(): void {
    this.#isCut = true;
    for (const wire of this.#wires) wire.cut();
  }
}
