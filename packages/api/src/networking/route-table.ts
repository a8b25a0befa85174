import { objectReference } from '../embedded/object-reference.ts';
import { boolean, integer, list, object, string, stringEnum } from '../schema.ts';

const cidr = string({ format: 'cidr' });
const ipv4 = string({ format: 'ipv4' });

const route = object({
  required: { dst: cidr },
  optional: {
    src: ipv4,
    gw: ipv4,
    dev: string(),
    onlink: boolean(),
    scope: stringEnum('global', 'link', 'host', 'site', 'nowhere'),
    targetRef: objectReference,
  },
});

const rule = object({
  required: { routes: list(route) },
  optional: {
    dst: cidr,
    src: cidr,
    iif: string(),
    oif: string(),
    fwmark: integer(),
    priority: integer(),
    targetRef: objectReference,
  },
});

/** A routing table, and the rules that lead to it. */
export const routeTable = object({
  required: { name: string(), rules: list(rule, { minItems: 1 }) },
  optional: { targetRef: objectReference },
  immutable: ['name'],
});
