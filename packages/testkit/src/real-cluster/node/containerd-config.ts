export interface ContainerdLayout {
  readonly sandboxImage: string;
  /** Folder of the executables that set up the network of a pod. */
  readonly cniPlugins: string;
  /** Folder that says which of them to use. */
  readonly cniConfig: string;
  readonly runc: string;
}

/** The configuration of containerd 1.6, in the places it has on any node. */
export function containerdConfig(layout: ContainerdLayout): string {
  const quote = (path: string) => JSON.stringify(path);
  return `version = 2
root = "/var/lib/containerd"
state = "/run/containerd"
disabled_plugins = [
  "io.containerd.snapshotter.v1.aufs",
  "io.containerd.snapshotter.v1.btrfs",
  "io.containerd.snapshotter.v1.devmapper",
  "io.containerd.snapshotter.v1.zfs",
]

[grpc]
address = "/run/containerd/containerd.sock"

[plugins."io.containerd.internal.v1.opt"]
path = "/var/lib/containerd/opt"

[plugins."io.containerd.grpc.v1.cri"]
sandbox_image = ${quote(layout.sandboxImage)}
# Root of a small virtual machine may lack the right to make a process harder to kill.
restrict_oom_score_adj = true

[plugins."io.containerd.grpc.v1.cri".cni]
bin_dir = ${quote(layout.cniPlugins)}
conf_dir = ${quote(layout.cniConfig)}

[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
runtime_type = "io.containerd.runc.v2"

[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
BinaryName = ${quote(layout.runc)}
SystemdCgroup = false
`;
}
