import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('the built-in list is made from the installed rules of secretlint [R3-042]', () => {
  const made = execFileSync(process.execPath, ['scripts/secret-formats.mjs'], { encoding: 'utf8' });
  expect(made, 'run: node scripts/secret-formats.mjs --write').toBe(
    readFileSync('src/core/redact/secretlint-formats.ts', 'utf8'),
  );
});
