import type { FilterPlugin, Rejection } from '../plugin.ts';

const rejection: Rejection = {
  reasons: ["node(s) didn't match the requested node name"],
  resolvable: false,
};

export const nodeName: FilterPlugin = {
  name: 'NodeName',
  prepare: ({ pod }) => {
    const wanted = pod.spec?.nodeName;
    return wanted ? (node) => (node.name === wanted ? undefined : rejection) : undefined;
  },
};
