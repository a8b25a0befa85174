import { Session } from 'node:inspector/promises';
import { getHeapStatistics } from 'node:v8';
import type { KeptProcess } from './memory-keeper.ts';

/** The process that this runs in. */
export const ownProcess: KeptProcess = {
  busyMs() {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  },
  heapBytes: () => getHeapStatistics().total_heap_size,
  async clean() {
    const session = new Session();
    session.connect();
    try {
      // Also gives the room for young objects back, unlike what a script can ask for otherwise.
      await session.post('HeapProfiler.collectGarbage');
    } finally {
      session.disconnect();
    }
  },
};
