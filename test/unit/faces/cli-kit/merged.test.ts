import { expect, test } from 'vitest';
import { merged } from '@/faces/cli-kit/flags/merged.js';

const section = { exec: 'configured', most: 5, roles: ['docs'], on: true, verify: ['lint'] };
const none: { readonly [Name in keyof typeof section]?: (typeof section)[Name] } = {};
const nothing = { exec: undefined, most: undefined, roles: undefined, on: false, verify: [] };

const table = {
  exec: { flag: 'exec', member: 'exec', missing: 'pass --exec' },
  most: { flag: 'most', member: 'most', usual: 3 },
  roles: { flag: 'roles', member: 'roles', read: (text: string) => text.split(',') },
  on: { flag: 'on', member: 'on', usual: false },
  verify: { flag: 'verify', member: 'verify', both: true },
} as const;

test('flags precede the configuration, that precedes the default, and some lists count both', () => {
  const given = { exec: 'flag', most: 1, roles: 'a,b', on: true, verify: ['test'] };
  expect(merged(table, given, section)).toEqual({
    ...given,
    roles: ['a', 'b'],
    verify: ['lint', 'test'],
  });
  expect(merged(table, nothing, section)).toEqual(section);
  expect(merged(table, { ...nothing, exec: 'flag' }, none)).toEqual({
    exec: 'flag',
    most: 3,
    roles: undefined,
    on: false,
    verify: [],
  });
});

test.each([undefined, ''])('a setting that must be there is named: %j', (exec) => {
  expect(() => merged(table, { ...nothing, exec }, none)).toThrow(/pass --exec/);
});
