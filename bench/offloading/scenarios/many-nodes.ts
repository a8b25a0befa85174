import type { Scenario } from '../scenario.ts';

/** Ten virtual nodes in one process, with nothing to do. */
export const manyNodes: Scenario = {
  name: 'ten-nodes',
  needs: { virtualNodes: 10, kubeletProcesses: 'one for all', audited: false },
  repeats: 3,
  rows: [
    { id: 'ten-nodes', title: 'ten virtual nodes in one process, idle', unit: 'MB', budget: 120 },
  ],
  measure: async ({ kubelets }) => {
    const [process] = kubelets;
    if (!process) throw new Error('Cannot measure memory: there is no virtual kubelet');
    await process.restart();
    return { 'ten-nodes': (await process.restingKb(20)) / 1024 };
  },
};
