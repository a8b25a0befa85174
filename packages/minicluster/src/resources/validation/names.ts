/** What is wrong with a name, in the words of the API server: each fault follows the name and a colon. */
export type Faults = readonly string[];

const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomain = `${label}(\\.${label})*`;
const labelWithUnderscore = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const subdomainWithUnderscore = `${labelWithUnderscore}(\\.${labelWithUnderscore})*`;
const rfc1035 = '[a-z]([-a-z0-9]*[a-z0-9])?';
const qualified = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';

/** A form that names have, and the fault of those that have another. */
interface Form {
  readonly pattern: RegExp;
  readonly fault: string;
}

function formOf(pattern: string, rule: string, ...examples: readonly string[]): Form {
  return { pattern: new RegExp(`^${pattern}$`), fault: breaks(rule, pattern, ...examples) };
}

const none: Faults = [];

const labelForm = formOf(
  label,
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  'my-name',
  '123-abc',
);

/** RFC 1123: container names, and most names that become part of a DNS name. */
export function dnsLabelFaults(value: string): Faults {
  const tooLong = value.length > 63 ? [longerThan(63)] : none;
  if (labelForm.pattern.test(value)) return tooLong;
  if (subdomainForm.pattern.test(value)) return [...tooLong, 'must not contain dots'];
  return [...tooLong, labelForm.fault];
}

const subdomainForm = formOf(
  subdomain,
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  'example.com',
);

/** RFC 1123: the names of most objects. */
export function dnsSubdomainFaults(value: string): Faults {
  return lengthAndForm(value, 253, subdomainForm);
}

const underscoredForm = formOf(
  subdomainWithUnderscore,
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character",
  'example.com',
);

/** The search domains of a pod's DNS configuration. */
export function underscoredSubdomainFaults(value: string): Faults {
  return lengthAndForm(value, 253, underscoredForm);
}

const rfc1035Form = formOf(
  rfc1035,
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  'my-name',
  'abc-123',
);

/** RFC 1035: services. */
export function rfc1035LabelFaults(value: string): Faults {
  return lengthAndForm(value, 63, rfc1035Form);
}

const wildcardForm = formOf(
  `\\*\\.${subdomain}`,
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character",
  '*.example.com',
);

export function wildcardSubdomainFaults(value: string): Faults {
  return lengthAndForm(value, 253, wildcardForm);
}

const qualifiedForm = formOf(
  qualified,
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  'MyName',
  'my.name',
  '123-abc',
);

/** Keys of labels, names of resources and conditions: a name, or `prefix/name`. */
export function qualifiedNameFaults(value: string): Faults {
  const { pattern, fault } = qualifiedForm;
  const [first = '', second, ...more] = value.split('/');
  if (more.length > 0) {
    return [
      `a valid label key ${fault} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const name = second ?? first;
  const faults = second === undefined ? [] : prefixFaults(first);
  if (name === '') faults.push('name part must be non-empty');
  else if (name.length > 63) faults.push('name part must be no more than 63 bytes');
  if (!pattern.test(name)) faults.push(`name part ${fault}`);
  return faults;
}

function prefixFaults(prefix: string): string[] {
  if (prefix === '') return ['prefix part must be non-empty'];
  return dnsSubdomainFaults(prefix).map(
    (fault) => `prefix part ${fault.replace(/characters$/, 'bytes')}`,
  );
}

const labelValueForm = formOf(
  `(${qualified})?`,
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  'MyValue',
  'my_value',
  '12345',
);

export function labelValueFaults(value: string): Faults {
  const tooLong = value.length > 63 ? ['must be no more than 63 bytes'] : none;
  const { pattern, fault } = labelValueForm;
  return pattern.test(value) ? tooLong : [...tooLong, fault];
}

const configKeyForm = formOf(
  '[-._a-zA-Z0-9]+',
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
  'key.name',
  'KEY_NAME',
  'key-name',
);

/** Keys of ConfigMaps and Secrets: they become file names. */
export function configKeyFaults(value: string): Faults {
  return [...lengthAndForm(value, 253, configKeyForm), ...upwardFaults(value)];
}

function upwardFaults(value: string): Faults {
  if (value === '.' || value === '..') return [`must not be '${value}'`];
  return value.startsWith('..') ? ["must not start with '..'"] : [];
}

export function environmentNameFaults(value: string): Faults {
  const isPrintable = /^[ -<>-~]*$/.test(value);
  const rule =
    "a valid environment variable name must consist only of printable ASCII characters other than '='";
  return isPrintable ? [] : [rule];
}

export function portNameFaults(value: string): Faults {
  const checks: readonly [boolean, string][] = [
    [value.length <= 15, longerThan(15)],
    [
      /^[-a-z0-9]+$/.test(value),
      'must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)',
    ],
    [/[a-z]/.test(value), 'must contain at least one letter (a-z)'],
    [!value.includes('--'), 'must not contain consecutive hyphens'],
    [!/^-|-$/.test(value), 'must not begin or end with a hyphen'],
  ];
  return checks.filter(([isFine]) => !isFine).map(([, fault]) => fault);
}

const headerNameForm = formOf(
  '[-A-Za-z0-9]+',
  "a valid HTTP header must consist of alphanumeric characters or '-'",
  'X-Header-Name',
);

export function headerNameFaults(value: string): Faults {
  return headerNameForm.pattern.test(value) ? none : [headerNameForm.fault];
}

const percentForm = formOf(
  '[0-9]+%',
  "a valid percent string must be a numeric string followed by an ending '%'",
  '1%',
  '93%',
);

export function percentFaults(value: string): Faults {
  return percentForm.pattern.test(value) ? none : [percentForm.fault];
}

/** Names that only have to fit into a URL path: RBAC's, those of referenced objects. */
export function pathSegmentFaults(value: string): Faults {
  if (value === '.' || value === '..') return [`may not be '${value}'`];
  const unwanted = ['/', '%'].filter((character) => value.includes(character));
  return unwanted.map((character) => `may not contain '${character}'`);
}

/** For names that a suffix will be added to, a trailing dash is fine. */
export function allowingPrefix(faults: (value: string) => Faults) {
  return (name: string, prefix: boolean): Faults =>
    faults(prefix && name.endsWith('-') ? `${name.slice(0, -1)}a` : name);
}

function lengthAndForm(value: string, maxLength: number, { pattern, fault }: Form): Faults {
  const tooLong = value.length > maxLength ? [longerThan(maxLength)] : none;
  return pattern.test(value) ? tooLong : [...tooLong, fault];
}

function longerThan(length: number): string {
  return `must be no more than ${length} characters`;
}

export function breaks(rule: string, pattern: string, ...examples: readonly string[]): string {
  const shown = examples.map((example) => `'${example}', `).join(' or ');
  const prefix = examples.length > 0 ? `e.g. ${shown}` : '';
  return `${rule} (${prefix}regex used for validation is '${pattern}')`;
}
