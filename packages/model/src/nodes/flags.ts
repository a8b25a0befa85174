/** The arguments with the changes in the place of those they concern, or at the end. */
export function mergeFlags(flags: readonly string[], changes: readonly string[]): string[] {
  const names = flags.map(flagName);
  const kept = flags.flatMap((flag, index) => {
    const replacing = changes.filter((change) => flagName(change) === names[index]);
    if (replacing.length === 0) return [flag];
    return names.indexOf(flagName(flag)) === index ? replacing : [];
  });
  return [...kept, ...changes.filter((change) => !names.includes(flagName(change)))];
}

/** `--create-node` of `--create-node=true`. */
export function flagName(flag: string): string {
  return flag.split('=', 1)[0] ?? flag;
}
