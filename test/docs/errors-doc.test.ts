import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { errorCodes } from '@/errors.js';
import { root } from '../architecture/repository.js';

describe('docs/errors.md', () => {
  const doc = readFileSync(`${root}docs/errors.md`, 'utf8');

  it('is what scripts/errors-doc.mjs makes', () => {
    expect(
      execFileSync(process.execPath, ['scripts/errors-doc.mjs'], { cwd: root, encoding: 'utf8' }),
    ).toBe(doc);
  });

  it('holds every code once, with its fix', () => {
    const listed = [...doc.matchAll(/^\| `(\w+)` \|/gm)].map(([, code]) => code ?? '');
    expect(listed.sort((a, b) => a.localeCompare(b))).toEqual(
      Object.keys(errorCodes).sort((a, b) => a.localeCompare(b)),
    );
  });
});
