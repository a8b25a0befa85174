import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@liqo/testkit';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { HandleCensus } from './testing/handle-census.ts';
import { playHere } from './testing/play-here.ts';

const timeoutMs = 180_000;
let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'run-start-'));
  vi.stubEnv('TMPDIR', folder);
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

describe('runStart()', () => {
  test(
    'gives the tour, beside another one, and leaves nothing',
    async () => {
      using handles = new HandleCensus();
      const [one, other] = await handles.during(() =>
        Promise.all([
          playHere(['--once']),
          playHere(['--once', '--by-hand', '--dir', join(folder, 'k')]),
        ]),
      );
      for (const { exitCode, stderr, files, timers } of [one, other]) {
        expect({ exitCode, stderr, files, timers }).toEqual(quiet);
      }
      expect(mask(one.stdout)).toBe(tour);
      expect(mask(other.stdout)).toBe(tourByHand);
      expect(await readdir(folder)).toEqual([]);
      await eventually(() => expect(handles.left).toEqual([]));
    },
    timeoutMs,
  );

  test(
    'leaves nothing when it is interrupted, whatever it is at',
    async () => {
      using handles = new HandleCensus();
      const moments = ['borrows', 'start the', 'install', 'make rome a peer', 'make milan'];
      for (const moment of moments) {
        const interruptWhen = (told: string) => told.includes(moment);
        const played = await handles.during(() =>
          playHere([], { isTerminal: true, interruptWhen }),
        );
        expect(played).toMatchObject({ exitCode: 130, files: [], timers: 0 });
        expect(played.stderr).toBe('Interrupted; nothing is left\n');
      }
      expect(await readdir(folder)).toEqual([]);
      await eventually(() => expect(handles.left).toEqual([]));
    },
    timeoutMs,
  );

  test(
    'tells what the guide shows, and stays until it is interrupted',
    async () => {
      const interruptWhen = (told: string) => told.includes('Ctrl-C removes');
      const { stdout, ...rest } = await playHere([], { interruptWhen });
      expect(rest).toEqual(quiet);
      const [told, end] = mask(stdout).split('\n\n  ✔ Everything');
      expect(`${told}\n`).toBe(mask(await sessionInGuide()));
      expect(end).toBe(' is removed # s\n');
    },
    timeoutMs,
  );

  test(
    'peers nothing in a playground for guides that do',
    async () => {
      const { stdout, ...rest } = await playHere(['--once', '--unpeered']);
      expect(rest).toEqual(quiet);
      expect(mask(stdout)).toBe(tourUnpeered);
    },
    timeoutMs,
  );

  test(
    'offers the capacity of three providers, of which two are accepted at a time',
    async () => {
      const { stdout, ...rest } = await playHere(['--once', '--offers']);
      expect(rest).toEqual(quiet);
      expect(mask(stdout)).toBe(tourOfOffers);
    },
    timeoutMs,
  );

  test(
    'makes a virtual node of every provider, and tells of all of them in a narrow terminal without kubectl',
    async () => {
      const interruptWhen = (told: string) => told.includes('Ctrl-C removes');
      const options = { interruptWhen, hasKubectl: false, columns: 50 };
      const { exitCode, stdout } = await playHere(['--clusters', '3'], options);
      expect(exitCode).toBe(0);
      const words = stdout.replaceAll(/\s+/g, ' ');
      expect(words).toContain('milan is the node "mypool" of rome');
      expect(words).toContain('turin is the node "mypool-turin" of rome');
      expect(words).toContain('As turin, which lends:');
      expect(words).toContain("and use that one: alias kubectl='/cache/kubernetes/kubectl'");
      const isCommand = (line: string) => /^ {2,}(export|alias|kubectl|npx|--)/.test(line);
      const tooLong = stdout.split('\n').filter((line) => !isCommand(line) && line.length > 50);
      expect(tooLong).toEqual([]);
    },
    timeoutMs,
  );
});

/** What follows `npm start` in the first block of the guide. */
async function sessionInGuide(): Promise<string> {
  const file = join(import.meta.dirname, '../../../../docs/guides/try-it.md');
  const text = await readFile(file, 'utf8');
  return /\$ npm start\n(.*?)```/s.exec(text)?.[1] ?? '';
}

/** Durations and folders are others every time. */
function mask(text: string): string {
  return text.replace(/ +\d+\.\d s/g, ' # s').replace(/=\S+\//g, '=FOLDER/');
}

const quiet = { exitCode: 0, stderr: '', files: [], timers: 0 };

const tour = `rome borrows from milan

  ✔ rome and milan run, a Kubernetes with one node each # s
  ✔ Liqo is installed in all of them # s
  ✔ rome is a peer of milan, as "liqoctl peer" makes it # s
  ✔ milan grants rome the slice "mypool", and limits it by a Quota # s
  ✔ milan is the node "mypool" of rome, made of that slice # s
  ✔ milan is the node "mynode" as well: the two share the Quota of "mypool" # s
  ✔ Namespace "shop" extends to milan, as "shop-rome" # s
  ✔ Service, ConfigMap and Secret "web" are at milan too # s
  ✔ The 3 pods of "web" are Running at milan # s

All of it runs, # s after the start

  ✔ Everything is removed # s
`;

const tourByHand = `rome borrows from milan

  ✔ rome and milan run, a Kubernetes with one node each # s
  ✔ Liqo is installed in all of them # s
  ✔ rome has an identity at milan # s
  ✔ milan is the node "mynode" of rome, by a VirtualNode and a Secret # s
  ✔ Namespace "shop" extends to milan, as "shop-rome" # s
  ✔ Service, ConfigMap and Secret "web" are at milan too # s
  ✔ The 3 pods of "web" are Running at milan # s

All of it runs, # s after the start

  ✔ Everything is removed # s
`;

const tourOfOffers = `milan, turin and naples offer rome what they have free

  ✔ rome, milan, turin and naples run, a Kubernetes with one node each # s
  ✔ Liqo is installed in all of them # s
  ✔ rome is a peer of milan, turin and naples, as "liqoctl peer" makes it # s
  ✔ rome accepts at most 2 offers, by its ClusterConfig # s
  ✔ milan offers 50 % of what is free, and is the node "liqo-milan" of rome # s
  ✔ turin offers 50 % of what is free, and is the node "liqo-turin" of rome # s
  ✔ naples offers as much, and is refused: MaxReached # s
  ✔ Namespace "shop" extends to milan and turin, as "shop-rome" # s
  ✔ The 3 pods of "web" are Running at milan and turin # s
  ✔ milan withdraws its offer, and naples takes its place as a node # s
  ✔ The 3 pods of "web" are Running at turin and naples # s

All of it runs, # s after the start

  ✔ Everything is removed # s
`;

const tourUnpeered = `rome and milan are not peered

  ✔ rome and milan run, a Kubernetes with one node each # s
  ✔ Liqo is installed in all of them # s

All of it runs, # s after the start

  ✔ Everything is removed # s
`;
