import { afterEach, describe, expect, it, vi } from 'vitest';
import type { CriterionResult } from '@/core/criterion.js';
import { axeCriterion } from '@/criteria/html-axe/axe-criterion.js';
import { errorWith } from '../../../support/matchers.js';
import { context, outputOf } from '../support.js';

function judge(...contents: string[]): Promise<CriterionResult> {
  const pages = contents.map((content, index) => [`page${index}.html`, content]);
  const output = outputOf('mockup', Object.fromEntries(pages));
  return axeCriterion().validate(output, undefined, context);
}

const whole = (body: string): string =>
  `<!doctype html>\n<html lang="en">\n<head><title>T</title></head>\n<body><main><h1>T</h1>\n${body}\n</main></body>\n</html>`;

describe('axeCriterion', () => {
  afterEach(() => {
    vi.doUnmock('jsdom');
    vi.resetModules();
  });

  it('names what axe finds, with rule, selector, line and the start tag [SR-97]', async () => {
    const result = await judge(whole('<img src="a.png">\n<button id="b"></button>'));
    expect(result).toMatchObject({
      passed: false,
      findings: expect.arrayContaining([
        expect.objectContaining({
          file: 'page0.html',
          line: 6,
          evidence: '<button id="b">',
          severity: 'major',
        }),
      ]),
    });
    expect(result.findings?.map(({ description }) => description.split(':')[0]).sort()).toEqual([
      'button-name',
      'image-alt',
    ]);
    expect(result.findings?.find(({ line }) => line === 6)?.description).toContain('#b');
    expect(result.details).toContain('not checked: color-contrast');
  });

  it('passes a page without faults, and never says that it checked contrast', async () => {
    const result = await judge(whole('<p style="color:#eee;background:#fff">pale</p>'));
    expect(result).toMatchObject({
      passed: true,
      score: 1,
      details: expect.stringContaining('color-contrast'),
    });
  });

  it('does not ask fragments for what documents have', async () => {
    expect(await judge('<p>text</p>')).toMatchObject({ passed: true });
    expect(
      (await judge('<html><body><p>text</p></body></html>')).findings
        ?.map(({ description }) => description.split(':')[0])
        .sort(),
    ).toEqual(['document-title', 'html-has-lang']);
  });

  it('never runs the scripts of a page', async () => {
    const scripts =
      '<button id="b"></button><script>document.getElementById("b").textContent = "named"</script><img src=x onerror="globalThis.ran = true" alt="">';
    const result = await judge(whole(scripts));
    expect(result.findings).toHaveLength(1);
    expect(Reflect.get(globalThis, 'ran')).toBeUndefined();
  });

  it('does not check what is too large or too deep, and says so', async () => {
    expect(await judge('<p></p>'.repeat(20_001))).toMatchObject({
      passed: false,
      skipped: expect.stringContaining('more than 20000 elements'),
    });
    expect(await judge('<div>'.repeat(10_000))).toMatchObject({
      passed: false,
      skipped: expect.stringContaining('not checked: page0.html'),
    });
    expect(await axeCriterion().validate({ artifacts: [] }, undefined, context)).toMatchObject({
      skipped: 'no HTML was found',
    });
  });

  it('refuses options that it does not know', () => {
    expect(() => axeCriterion({ tags: [] })).toThrow(/tags/);
    expect(() => axeCriterion(JSON.parse('{"rules":[]}'))).toThrow(/no option `rules`/);
  });

  it('says what to install where a package is missing', async () => {
    vi.resetModules();
    vi.doMock('jsdom', () => {
      throw new Error('Cannot find package');
    });
    const { axeCriterion: fresh } = await import('@/criteria/html-axe/axe-criterion.js');
    const output = { artifacts: [{ type: 'mockup', path: 'a.html', content: '<p>x</p>' }] };
    await expect(fresh().validate(output, undefined, context)).rejects.toMatchObject(
      errorWith('peer_missing', 'npm install axe-core jsdom'),
    );
  });
});
