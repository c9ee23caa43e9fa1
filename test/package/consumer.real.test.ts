import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../architecture/repository.js';
import { type Compiler, typeErrors } from '../docs/snippets.js';

it.each<Compiler>(['typescript', 'typescript7'])(
  'a program of a user compiles against the sources by %s',
  (compiler) => {
    const file = 'test/package/consumer/types.ts';
    const code = readFileSync(join(root, file), 'utf8');
    const folder = join(root, `temp/consumer-${compiler}`);
    expect(typeErrors(root, folder, [{ file, line: 0, code, checked: true }], compiler)).toEqual(
      [],
    );
  },
);
