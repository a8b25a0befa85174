import { systemClock } from '../clock.ts';
import { createLogger } from '../log/log.ts';
import { startManager } from '../manager/manager.ts';
import { systemRandom } from '../random.ts';

/**
 * A process with one part, for tests that send signals. Its arguments say how the part behaves when it is told to stop
 * (`obedient` ends, `stubborn` does not), and how many milliseconds it has for that.
 */
const [behaviour, stopMs] = process.argv.slice(2);

const manager = await startManager({
  clock: systemClock,
  random: systemRandom,
  log: createLogger({ level: 'info' }),
  stopMs: Number(stopMs),
  runnables: [
    {
      name: 'worker',
      start: (signal) =>
        new Promise((resolve) => {
          if (behaviour === 'obedient') signal.addEventListener('abort', () => resolve());
        }),
    },
  ],
});
process.stdout.write('started\n');
try {
  await manager.done;
} catch (error) {
  process.stderr.write(`${error}\n`);
  process.exit(1);
}
