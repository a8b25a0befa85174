/**
 * Programs that are not built but taken from the distribution, each from a package that nothing is installed of: it is
 * unpacked into a folder. Their versions are those of the distribution on that day, and written down in the folder.
 */
export interface PackageSet {
  /** The folder below the assets folder that the packages are unpacked into, all into one tree. */
  readonly folder: string;
  readonly packages: readonly string[];
  /** Program in the tree → arguments that make it say something and end well: so it finds all its libraries. */
  readonly probes: Readonly<Record<string, readonly string[]>>;
}

export const nodePackages: PackageSet = {
  folder: 'nodes',
  packages: [
    'containerd',
    'runc',
    'containernetworking-plugins',
    'nftables',
    'busybox-static',
    // Libraries of runc and nft that the smallest Debian does not have, or may lose.
    'libseccomp2',
    'libnftables1',
    'libnftnl11',
    'libmnl0',
    'libjansson4',
    'libxtables12',
    'libgmp10',
    'libedit2',
    'libbsd0',
    'libmd0',
  ],
  probes: {
    'usr/bin/containerd': ['--version'],
    'usr/bin/containerd-shim-runc-v2': ['-v'],
    'usr/bin/ctr': ['--version'],
    'usr/sbin/runc': ['--version'],
    'usr/sbin/nft': ['--version'],
    'usr/lib/cni/bridge': [],
    'usr/lib/cni/host-local': [],
    'usr/lib/cni/loopback': [],
    'bin/busybox': ['true'],
  },
};
