import type { Duplex } from 'node:stream';
import type { Clock, Timer } from '@liqo/kube';

/**
 * How long one side may go on when the other has nothing more to say. A peer that is gone for good looks the same as one
 * that only listens, and the protocols spoken here have ends of their own.
 */
const lingerMs = 60_000;

/** As kubelets do. A connection that is stuck does not even notice that one of its peers has gone. */
const idleMs = 4 * 3600_000;

/**
 * Makes one connection of two: every byte goes through, no faster than the other side takes it. When one side has
 * nothing more to say, the other one is told and may go on for a while; when one breaks, so does the other. Nothing is
 * kept on which nothing has moved for hours.
 */
export function joinConnections(near: Duplex, far: Duplex, clock: Clock): void {
  carry(near, far, clock);
  carry(far, near, clock);
  endWhenIdle([near, far], clock);
}

function carry(from: Duplex, to: Duplex, clock: Clock): void {
  from.allowHalfOpen = true;
  // What broke is told by the close that follows.
  from.on('error', () => from.destroy());
  from.once('close', () => {
    if (!hasEnded(from)) to.destroy();
  });
  from.once('end', () => {
    const timer = clock.after(lingerMs, () => to.destroy());
    to.once('close', () => timer.cancel());
  });
  if (from.destroyed) to.destroy();
  else from.pipe(to);
}

/** Both ways, in peace: then the other side has been told, and still sends what it was given. */
function hasEnded({ readableEnded, writableFinished }: Duplex): boolean {
  return readableEnded && writableFinished;
}

function endWhenIdle(sides: readonly Duplex[], clock: Clock): void {
  if (sides.some(({ destroyed }) => destroyed)) return;
  let movedMs = clock.monotonicMs();
  const watch = (): Timer => clock.after(movedMs + idleMs - clock.monotonicMs(), onTimer);
  const onTimer = () => {
    if (clock.monotonicMs() - movedMs < idleMs) timer = watch();
    else for (const side of sides) side.destroy();
  };
  let timer = watch();
  for (const side of sides) {
    side.on('data', () => {
      movedMs = clock.monotonicMs();
    });
    side.once('close', () => timer.cancel());
  }
}
