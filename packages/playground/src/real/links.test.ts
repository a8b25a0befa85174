import type { Link, RealCluster } from '@liqo/testkit/real-cluster';
import { expect, test } from 'vitest';
import { Links } from './links.ts';

const named = (name: string) => ({ name }) as RealCluster;

test('Links finds a link by its ends, whichever comes first', () => {
  const links = new Links();
  const [rome, milan, turin] = [named('rome'), named('milan'), named('turin')];
  const [toMilan, toTurin] = [{} as Link, {} as Link];
  links.add(rome, milan, toMilan);
  links.add(rome, turin, toTurin);
  expect(links.between(milan, rome)).toBe(toMilan);
  expect(links.between(rome, turin)).toBe(toTurin);
  expect(() => links.between(milan, turin)).toThrow(
    'Cannot find the link between clusters "milan" and "turin": they were not connected',
  );
});
