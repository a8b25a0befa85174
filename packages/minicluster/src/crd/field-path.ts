/** `spec` and `name` make `spec.name`. */
export function childPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

/** `spec.labels` and `a/b` make `spec.labels[a/b]`. */
export function keyPath(path: string, key: string): string {
  return `${path}[${key}]`;
}
