/** A query as Go writes it, and so as kubelets see it: sorted by name, spaces as plus signs. Empty when there is nothing. */
export function goQuery(parameters: Readonly<Record<string, readonly string[]>>): string {
  const names = Object.keys(parameters).sort();
  const query = new URLSearchParams();
  for (const name of names) for (const value of parameters[name] ?? []) query.append(name, value);
  const text = query.toString();
  return text && `?${text.replaceAll('*', '%2A').replaceAll('%7E', '~')}`;
}
