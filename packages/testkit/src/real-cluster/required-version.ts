/** The version of a module in the text of a `go.mod`: `v1.35.4`. */
export function requiredVersion(goMod: string, module: string): string {
  for (const line of goMod.split('\n')) {
    const [path, version] = line.replace(/^\s*(require\s+)?/, '').split(/\s+/);
    if (path === module && version?.startsWith('v')) return version;
  }
  throw new Error(
    `Cannot find the version of Go module "${module}": its go.mod does not require it`,
  );
}
