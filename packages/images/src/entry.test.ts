import { expect, test } from 'vitest';
import { arrangeEntries, type Entry } from './entry.ts';

function file(path: string, mode = 0o644): Entry {
  return { type: 'file', path, mode, content: [] };
}

test('arrangeEntries() sorts by bytes, and adds the folders that were left out', () => {
  const entries = [file('b/c'), file('a'), file('b-c'), file('é'), file('z')];
  const arranged = arrangeEntries(entries).map(({ type, path }) => [type, path]);
  expect(arranged).toEqual([
    ['file', 'a'],
    ['folder', 'b'],
    ['file', 'b-c'],
    ['file', 'b/c'],
    ['file', 'z'],
    ['file', 'é'],
  ]);
});

test('arrangeEntries() keeps a folder as it was given', () => {
  const folder: Entry = { type: 'folder', path: 'tmp', mode: 0o1777 };
  expect(arrangeEntries([file('tmp/x'), folder])[0]).toEqual(folder);
});

test.each([
  ['/etc/passwd', 'its path must be relative to the root of the image'],
  ['../etc/passwd', 'its path leaves the folder it is in'],
  ['etc/../../passwd', 'its path leaves the folder it is in'],
  ['etc//passwd', 'its path is not in its shortest form'],
  ['./etc', 'its path is not in its shortest form'],
  ['etc/', 'its path is not in its shortest form'],
  ['', 'its path is not in its shortest form'],
  ['etc\0passwd', 'its path has a zero byte'],
])('arrangeEntries() refuses the path %j', (path, fact) => {
  expect(() => arrangeEntries([file(path)])).toThrow(`Cannot pack "${path}": ${fact}`);
});

test('arrangeEntries() refuses a path that leads through a symlink', () => {
  const link: Entry = { type: 'symlink', path: 'etc', target: '/elsewhere' };
  expect(() => arrangeEntries([file('etc/passwd'), link])).toThrow(
    'Cannot pack "etc/passwd": "etc" is not a folder',
  );
});

test('arrangeEntries() refuses the same path twice', () => {
  expect(() => arrangeEntries([file('a'), file('a')])).toThrow('the same path is given twice');
});

test.each([0o4755, 0o2755])('arrangeEntries() refuses mode %o unless it is asked for', (mode) => {
  expect(() => arrangeEntries([file('su', mode)])).toThrow('with the rights of its owner');
  expect(arrangeEntries([file('su', mode)], { allowSetuid: true })).toEqual([file('su', mode)]);
});

test('arrangeEntries() refuses a mode that holds the type of a file as well', () => {
  expect(() => arrangeEntries([file('a', 0o100644)])).toThrow('is not the mode of a file');
});
