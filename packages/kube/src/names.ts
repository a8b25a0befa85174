/**
 * The rules of the API for names. Each check returns what is wrong with a value, as predicates that follow it (`"Web"
 * has characters other than …`); an empty list means that it is valid.
 */
export type NameFaults = readonly string[];

/** RFC 1123: namespaces, and most things whose name becomes part of a DNS name. */
export function checkDnsLabel(value: string): NameFaults {
  return checkName(value, lowerCase, 63);
}

/** RFC 1035: services. As a DNS label, but it cannot start with a digit. */
export function checkRfc1035Label(value: string): NameFaults {
  const faults = checkName(value, lowerCase, 63);
  return /^[0-9]/.test(value) ? [...faults, 'starts with a digit'] : faults;
}

/** RFC 1123: labels joined by dots. The names of most objects. */
export function checkDnsSubdomain(value: string): NameFaults {
  return [...checkLength(value, 253), ...checkParts(value.split('.'))];
}

/** Keys of labels and annotations, names of resources: a name, or `prefix/name`, where the prefix is a subdomain. */
export function checkQualifiedName(value: string): NameFaults {
  const slash = value.indexOf('/');
  const name = checkName(value.slice(slash + 1), anyCase, 63);
  if (slash < 0) return name;
  const prefix = checkDnsSubdomain(value.slice(0, slash));
  return [
    ...prefix.map((fault) => `has a prefix that ${fault}`),
    ...name.map((fault) => `has a name after the "/" that ${fault}`),
  ];
}

/** May be empty. */
export function checkLabelValue(value: string): NameFaults {
  return value === '' ? [] : checkName(value, anyCase, 63);
}

interface Alphabet {
  readonly inside: RegExp;
  readonly insideInWords: string;
  /** For the first and the last character. */
  readonly edge: RegExp;
  readonly edgeInWords: string;
}

const lowerCase: Alphabet = {
  inside: /^[-a-z0-9]*$/,
  insideInWords: 'lower-case letters, digits and "-"',
  edge: /^[a-z0-9]$/,
  edgeInWords: 'a lower-case letter or a digit',
};

const anyCase: Alphabet = {
  inside: /^[-_.A-Za-z0-9]*$/,
  insideInWords: 'letters, digits, "-", "_" and "."',
  edge: /^[A-Za-z0-9]$/,
  edgeInWords: 'a letter or a digit',
};

function checkName(value: string, alphabet: Alphabet, maxLength: number): NameFaults {
  return [...checkLength(value, maxLength), ...checkCharacters(value, alphabet)];
}

function checkParts(parts: readonly string[]): NameFaults {
  if (parts.length === 1) return checkCharacters(parts[0] ?? '', lowerCase);
  const faults = new Set(parts.flatMap((part) => checkCharacters(part, lowerCase)));
  return [...faults].map((fault) => `has a part between dots that ${fault}`);
}

function checkLength(value: string, maxLength: number): NameFaults {
  return value.length > maxLength ? [`is longer than ${maxLength} characters`] : [];
}

function checkCharacters(value: string, alphabet: Alphabet): NameFaults {
  if (value === '') return ['is empty'];
  if (!alphabet.inside.test(value)) return [`has characters other than ${alphabet.insideInWords}`];
  const edges = [value.at(0), value.at(-1)];
  const isGood = edges.every((edge = '') => alphabet.edge.test(edge));
  return isGood ? [] : [`does not start and end with ${alphabet.edgeInWords}`];
}
