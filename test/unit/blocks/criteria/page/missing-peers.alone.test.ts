import { expect, it, vi } from 'vitest';
import { pageCriteria } from '@/blocks/criteria/page/index.js';
import { errorWith } from '../../../../support/matchers.js';

const absent = vi.hoisted(() => (name: string) => () => {
  throw Object.assign(new Error(`Cannot find package '${name}'`), {
    code: 'ERR_MODULE_NOT_FOUND',
  });
});
vi.mock('playwright-core', absent('playwright-core'));
vi.mock('axe-core', absent('axe-core'));

const output = { artifacts: [{ type: 'mockup', path: 'a.html', content: '<title>A</title>' }] };

it('both missing packages are named in one error, before a browser is looked for', async () => {
  vi.stubEnv('REVIEWLOOP_CHROMIUM', '/nowhere/chromium');
  for (const criterion of pageCriteria({ scripts: true }))
    await expect(criterion.validate(output, undefined, { previous: [] })).rejects.toMatchObject(
      errorWith('peer_missing', /npm install playwright-core axe-core\)/),
    );
  vi.unstubAllEnvs();
});
