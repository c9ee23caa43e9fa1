import { afterAll, expect, it } from 'vitest';
import { closeIdleBrowsers, pageCriteria } from '@/blocks/criteria/page/index.js';
import type { CriterionResult } from '@/core/criterion.js';
import { describeInBrowser } from '../../../../support/browser.js';

afterAll(closeIdleBrowsers);

async function judged(id: string, style: string, body: string): Promise<CriterionResult> {
  const criterion = pageCriteria({ timeoutMs: 120_000 }).find((one) => one.id === id);
  if (criterion === undefined) throw new Error(`no criterion ${id}`);
  const content = `<!DOCTYPE html><html lang="en"><head><title>T</title><style>${style}</style></head><body><main><h1>T</h1>${body}</main></body></html>`;
  return criterion.validate(
    { artifacts: [{ type: 'mockup', path: 'index.html', content }] },
    undefined,
    { previous: [] },
  );
}

const hidden =
  'input { position: fixed; opacity: 0 } .far { height: 2000px } label { display: block }';
const field = '<div class="far"></div><input type="checkbox" id="c"><label for="c">Spicy</label>';

describeInBrowser('the focus of a field whose label is drawn', () => {
  it('is shown by the label, also further down', async () => {
    const style = `${hidden} input:focus + label { outline: 2px solid black }`;
    expect((await judged('page-focus-visible', style, field)).passed).toBe(true);
    expect((await judged('page-focus-order', style, field)).passed).toBe(true);
  });

  it('is missing if the label does not change', async () => {
    const result = await judged('page-focus-visible', hidden, field);
    expect(result.findings).toMatchObject([{ description: expect.stringContaining('input#c') }]);
  });

  it('is not on the page if there is no label', async () => {
    const result = await judged(
      'page-focus-order',
      hidden,
      '<input type="checkbox" aria-label="c">',
    );
    expect(result.findings).toHaveLength(1);
  });
});

describeInBrowser('a link without any area', () => {
  const link = '<p><a href="#x"><i class="icon"></i></a></p>';

  it('is reported as not shown', async () => {
    expect((await judged('page-focus-order', '', link)).findings).toHaveLength(1);
  });

  it('is undecided while scripts are off that may fill it', async () => {
    const result = await judged('page-focus-order', '', `${link}<script src="icons.js"></script>`);
    expect(result.findings).toBeUndefined();
    expect(result.undecided).toContain('which scripts may fill');
  });
});
