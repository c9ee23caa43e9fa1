import { afterAll, expect, it } from 'vitest';
import { htmlCriteria } from '@/blocks/criteria/html/html-criteria.js';
import { closeIdleBrowsers, pageCriteria } from '@/blocks/criteria/page/index.js';
import type { Finding } from '@/core/criterion.js';
import { describeInBrowser } from '../../../../support/browser.js';

afterAll(closeIdleBrowsers);

const content = `<!DOCTYPE html><html lang="en"><head><title>T</title></head><body><main><h1>T</h1>
<img src="a.png" width="4" height="4">
<button type="button"></button>
<ul><p>no item</p></ul>
<p id="scripted"></p></main>
<script>document.getElementById('scripted').innerHTML = '<button></button>'</script></body></html>`;
const output = {
  artifacts: [
    { type: 'mockup', path: 'index.html', content },
    { type: 'other', path: 'b.png', content: '' },
  ],
};

it('takes criteria of reviewloop only', () => {
  expect(() => pageCriteria({ reportedBy: JSON.parse('[{}]') })).toThrow(/reportedBy/);
});

describeInBrowser('what criteria over the source report', () => {
  async function axeOf(reportedBy: ReturnType<typeof htmlCriteria>): Promise<readonly Finding[]> {
    const criteria = pageCriteria({ reportedBy, scripts: true, timeoutMs: 120_000 });
    const result = await criteria
      .find(({ id }) => id === 'page-axe')
      ?.validate(output, undefined, { previous: [] });
    return result?.findings ?? [];
  }
  const rules = (findings: readonly Finding[]): readonly string[] =>
    findings
      .map(
        ({ description, line }) =>
          `${line ?? '-'} ${/[\w-]+:\s/.exec(description.replace(/^.*?: (?=[a-z-]+: )/, ''))?.[0].trim()}`,
      )
      .sort();

  it('is not reported again at the same element', async () => {
    const all = rules(await axeOf([]));
    const left = rules(await axeOf(htmlCriteria()));
    expect(all).toContain('2 image-alt:');
    expect(all).toContain('3 button-name:');
    expect(left).toEqual(all.filter((rule) => !/^(?:2 image-alt|3 button-name)/.test(rule)));
    expect(left).toContain('4 list:');
    expect(left.some((rule) => rule.endsWith('button-name:'))).toBe(true);
  });

  it('is reported if the criterion that reports it is not there', async () => {
    const others = htmlCriteria().filter(({ id }) => id !== 'image-name');
    expect(rules(await axeOf(others))).toContain('2 image-alt:');
  });
});
