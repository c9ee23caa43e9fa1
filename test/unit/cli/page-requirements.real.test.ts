import { afterAll, expect, it } from 'vitest';
import { closeIdleBrowsers } from '../../../src/criteria/page/index.js';
import { describeInBrowser } from '../../support/browser.js';
import { folderOf, runCli } from './harness.js';

afterAll(closeIdleBrowsers);

const page = `<!DOCTYPE html><html lang="en"><head><title>Shop</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>h1 { color: green }</style>
</head><body><main><h1>Shop</h1><img src="a.png"></main></body></html>
`;
const config = `export default { pages: { timeoutMs: 120000 } };\n`;

describeInBrowser('reviewloop review --pages', () => {
  async function reviewed(...argv: string[]) {
    const cwd = await folderOf({
      'TASK.md': '# Shop\n\nThe heading must be blue.\n',
      'index.html': page,
      'reviewloop.config.mjs': config,
    });
    const command = ['review', 'index.html', '--task', 'TASK.md', '-q', '--format', 'json'];
    const { out } = await runCli(cwd, [...command, ...argv]);
    return JSON.parse(out) as {
      coverage: { requirement: string; state: string; decidedBy?: string }[];
      gaps: { criterionId: string; description: string }[];
    };
  }

  it('decides requirements by the rendered page, and reports nothing twice', async () => {
    const { coverage, gaps } = await reviewed('--pages');
    expect(coverage).toMatchObject([{ state: 'uncovered', decidedBy: 'page-look' }]);
    expect(gaps.filter(({ criterionId }) => criterionId === 'image-name')).toHaveLength(1);
    expect(gaps.filter(({ description }) => description.includes('image-alt'))).toEqual([]);
  });
});
