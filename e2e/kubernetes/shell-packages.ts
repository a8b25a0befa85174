import type { PackageSet } from './node-packages.ts';

/** The shells that liqoctl can be completed in, but for the one that every machine has. */
export const shellPackages: PackageSet = {
  folder: 'shells',
  packages: [
    'zsh',
    'zsh-common',
    'fish',
    'fish-common',
    // Libraries that the smallest Debian does not have.
    'libcap2',
    'libpcre2-32-0',
  ],
  probes: {
    'bin/zsh': ['--version'],
    'usr/bin/fish': ['--version'],
  },
};
