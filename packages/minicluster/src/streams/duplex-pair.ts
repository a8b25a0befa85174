import { Duplex } from 'node:stream';

/** A connection without a network: what is written at one end is read at the other, at the pace of its reader. */
export function duplexPair(): readonly [Duplex, Duplex] {
  const ends: [Duplex, Duplex] = [endOf(() => ends[1]), endOf(() => ends[0])];
  return ends;
}

const taken = Symbol('taken');

/** Holds a write back until the other end wants more. */
function endOf(other: () => Duplex): Duplex {
  return new Duplex({
    read() {
      this.emit(taken);
    },
    write(chunk: Uint8Array, _, done) {
      const reader = other();
      if (reader.destroyed) done(new Error('Cannot write: the other end is closed'));
      else if (reader.push(chunk)) done();
      else onceTaken(reader, done);
    },
    final(done) {
      if (!other().destroyed) other().push(null);
      done();
    },
    destroy(error, done) {
      // What has been written can still be read.
      if (!other().destroyed) other().push(null);
      this.emit(taken);
      done(error);
    },
  });
}

function onceTaken(reader: Duplex, done: () => void): void {
  reader.once(taken, () => done());
}
