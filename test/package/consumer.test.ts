import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../architecture/repository.js';
import { typeErrors } from '../docs/snippets.js';

it('a program of a user compiles against the sources', () => {
  const file = 'test/package/consumer/types.ts';
  const code = readFileSync(join(root, file), 'utf8');
  expect(
    typeErrors(root, join(root, 'temp/consumer'), [{ file, line: 0, code, checked: true }]),
  ).toEqual([]);
});
