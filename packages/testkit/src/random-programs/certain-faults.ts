const unknownField = /^(.*)\.[^.]+: field not declared in schema$/;

/**
 * The faults of an applied object that a server tells whatever the order in which it walks through Go's maps: it stops
 * in a map at a field that it does not know, and may have seen the other members of that map before, or not.
 */
export function certainFaults(faults: readonly string[]): readonly string[] {
  const stops = faults.flatMap((fault) => {
    const parent = unknownField.exec(fault)?.[1];
    return parent === undefined ? [] : [{ fault, parent: `${parent}.` }];
  });
  const isCertain = (fault: string) =>
    stops.every((stop) => stop.fault === fault || !fault.startsWith(stop.parent));
  return faults.filter(isCertain).toSorted();
}
