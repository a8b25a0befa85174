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

/** `--create-node` of `--create-node=true`, and of `-create-node=true`, which Go programs take for the same. */
export function flagName(flag: string): string {
  const [name = flag] = flag.split('=', 1);
  return name.replace(/^-(?=[^-])/, '--');
}

/** Each flag as one argument: `--workers`, `3` becomes `--workers=3`. */
export function joinFlagValues(args: readonly string[]): string[] {
  const joined: string[] = [];
  for (const arg of args) {
    const last = joined.at(-1);
    const awaitsValue = last?.startsWith('-') && !last.includes('=');
    if (awaitsValue && !arg.startsWith('-')) joined.splice(-1, 1, `${last}=${arg}`);
    else joined.push(arg);
  }
  return joined;
}
