import { expect, it } from 'vitest';
import { words } from '../../../support/matchers.js';
import { folderOf, goodPage, runCli } from '../../cli/harness.js';

it.each([
  ['elements without end', '<i>'.repeat(1001)],
  ['a comment', `<!-- ${'<div>'.repeat(1001)} -->`],
])('a page that no check can read is not approved: %s [R2-002]', async (_, deep) => {
  const cwd = await folderOf({ 'page.html': goodPage.replace('</body>', `${deep}</body>`) });
  const { code, out } = await runCli(
    cwd,
    words('review page.html --task-text x --no-requirements'),
  );
  expect(out).toContain('page.html cannot be checked: it has more than 1000 levels');
  expect(code).toBe(50);
});
