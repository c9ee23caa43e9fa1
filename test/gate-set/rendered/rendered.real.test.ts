import { afterAll, expect, it } from 'vitest';
import { closeIdleBrowsers, pageDeciders } from '@/criteria/page/index.js';
import { describeInBrowser } from '../../support/browser.js';
import { renderedPages as cases } from './rendered-pages.js';

afterAll(closeIdleBrowsers);

it('has enough pages and labels', () => {
  const labels = cases.flatMap((one) => Object.values(one.labels));
  expect(cases.length).toBeGreaterThanOrEqual(12);
  expect(labels.length).toBeGreaterThanOrEqual(60);
  for (const label of ['satisfied', 'violated', 'untold'])
    expect(labels.filter((one) => one === label).length).toBeGreaterThanOrEqual(15);
});

describeInBrowser('requirements on rendered pages', () => {
  it('are decided as a person decides them, or not at all', async () => {
    const [decider] = pageDeciders({ scripts: true, timeoutMs: 120_000 });
    const wrong: string[] = [];
    const open: string[] = [];
    let decided = 0;
    let tellable = 0;
    for (const { name, content, labels } of cases) {
      const output = { artifacts: [{ type: 'mockup', path: 'index.html', content }] };
      for (const [requirement, label] of Object.entries(labels)) {
        const decision = await decider?.decides(requirement, output, { previous: [] });
        if (label !== 'untold') tellable += 1;
        if (decision === undefined) {
          if (label !== 'untold') open.push(`${name}: ${requirement} (${label})`);
          continue;
        }
        decided += 1;
        const verdict = decision.satisfied ? 'satisfied' : 'violated';
        if (verdict !== label)
          wrong.push(`${name}: ${requirement} ${verdict}, not ${label}: ${decision.explanation}`);
      }
    }
    console.log(
      `${decided} decided of ${tellable} that a person can tell; ${wrong.length} wrong\n${open.join('\n')}`,
    );
    expect(wrong).toEqual([]);
    expect(decided / tellable).toBeGreaterThanOrEqual(0.8);
  });

  it('are not decided while the scripts of a page are off', async () => {
    const scripted = cases.find(({ name }) => name === 'scripted');
    const [decider] = pageDeciders({ timeoutMs: 120_000 });
    const output = {
      artifacts: [{ type: 'mockup', path: 'index.html', content: scripted?.content ?? '' }],
    };
    for (const requirement of Object.keys(scripted?.labels ?? {}))
      expect(await decider?.decides(requirement, output, { previous: [] })).toBe(undefined);
  });
});
