import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newFolder } from '../resume/children.js';
import { faultyPage } from '../unit/faces/cli/harness.js';
import { run } from './cli-harness.js';

/** The package resolves itself in its built form. */
const isBuilt = existsSync('dist/config.js');

describe.runIf(isBuilt)('a configuration beside a global install', () => {
  const extensions = ['js', 'mjs', 'ts'];
  it.each(extensions)('imports the running package in %s [R2-101]', async (extension) => {
    const cwd = newFolder();
    writeFileSync(join(cwd, 'package.json'), '{"type":"module"}');
    writeFileSync(join(cwd, 'a.html'), faultyPage);
    writeFileSync(
      join(cwd, `reviewloop.config.${extension}`),
      `import { defineConfig } from 'reviewloop/config';\nexport default defineConfig({ criteria: { mine: () => true } });\n`,
    );
    const argv = ['review', 'a.html', '--task-text', 'x', '--no-requirements', '-q'];
    const { code, out, err } = await run(cwd, argv);
    expect(err).toBe('');
    expect(code).toBe(0);
    expect(out).toContain('by own');
  });
});
