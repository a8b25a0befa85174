/** The same function, which works out its answer once for each argument. Those must never change. */
export function oncePer<K extends object, V>(derive: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, V>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const derived = derive(key);
    known.set(key, derived);
    return derived;
  };
}
