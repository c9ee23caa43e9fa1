import { expect, it } from 'vitest';
import { words } from '../../../../support/matchers.js';
import { folderOf, goodPage, runCli } from '../../../faces/cli/harness.js';

const reviewed = async (more: string) => {
  const cwd = await folderOf({ 'page.html': goodPage.replace('</body>', `${more}</body>`) });
  return runCli(cwd, words('review page.html --task-text x --no-requirements'));
};

it('a page that no check can read is not approved: elements without end [R2-002]', async () => {
  const { code, out } = await reviewed('<i>'.repeat(1001));
  expect(out).toContain('page.html cannot be checked: it has more than 1000 levels');
  expect(code).toBe(50);
});

const flatParts = [
  ['a comment', `<!-- ${'<div>'.repeat(1001)} -->`],
  ['a drawing', `<svg role="img" aria-label="Tea">${'<path d="M0 0"/>'.repeat(1100)}</svg>`],
  ['a text', `<p>${'&lt;div>'.repeat(1001)}</p>`],
  ['paragraphs that end by themselves', '<p>Tea.'.repeat(1001)],
] as const;
it.each(flatParts)(
  'levels are those of the parsed page, not those of its source: %s [R3-057]',
  async (_, flat) => {
    const { code, out } = await reviewed(flat);
    expect(out).not.toContain('cannot be checked');
    expect(code).toBe(0);
  },
);

it('nothing is said about what the script of a custom element decides [R3-061]', async () => {
  const select = '<label for="s">Size</label><x-select role="listbox" id="s"></x-select>';
  const { code, out } = await reviewed(`${select}<x-tea role="button" tabindex="0"></x-tea>`);
  expect(out).not.toMatch(/x-select|x-tea|listbox/);
  expect(code).toBe(0);
});
