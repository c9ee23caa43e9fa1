import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorTable } from '@/core/error-table.js';
import { ReviewLoopError } from '@/core/errors.js';
import { exitCodeOfError } from '@/faces/cli-kit/exit-codes.js';
import { bundleOf } from '../../scripts/bundle-size.mjs';
import { root } from './repository.js';

describe('the codes of errors', () => {
  it('cannot be declared without a kind, or with one that does not exist [R2-113]', () => {
    // @ts-expect-error no kind
    errorTable({ new_code: { fix: 'Try again.' } });
    // @ts-expect-error an unknown kind
    errorTable({ new_code: { kind: 'misuse', fix: 'Try again.' } });
    const { new_code } = errorTable({ new_code: { kind: 'usage', fix: 'Try again.' } });
    expect(exitCodeOfError(new ReviewLoopError(new_code, 'x'))).toBe(2);
  });
});

describe('the package', () => {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

  it('is measured without packages that it uses, and without no others [R2-113]', async () => {
    const used = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
    const own = await bundleOf(`export * from './src/index.ts'`, root, used);
    const outside = [...own.text.matchAll(/(?:\bfrom|\bimport\()\s*"([^"./][^"]*)"/g)];
    const packages = outside.map(([, name = '']) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name);
    expect(packages).toContain('zod');
    expect(used).toEqual(expect.arrayContaining([...new Set(packages)]));
    expect(own.withLater).toBeGreaterThan(own.kilobytes);
  });

  it('contains no source maps [R2-121]', ({ skip }) => {
    const dist = join(root, 'dist');
    if (!existsSync(dist)) skip('nothing built: npm run build first');
    const names = readdirSync(dist, { recursive: true, encoding: 'utf8' });
    expect(names.filter((name) => name.endsWith('.map'))).toEqual([]);
    const scripts = names.filter((name) => name.endsWith('.js'));
    expect(scripts.length).toBeGreaterThan(20);
    for (const name of scripts)
      expect(readFileSync(join(dist, name), 'utf8').includes('//# sourceMappingURL='), name).toBe(
        false,
      );
    expect(manifest.files).not.toContain('src');
  });
});
