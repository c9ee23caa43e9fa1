import { unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { filesAround } from '@/cli-kit/criteria/page-set.js';
import { tempFolder } from '../../../support/temp-folder.js';

it('the names beside a page decide what its source can load, and no content is read', async () => {
  const cwd = tempFolder('around');
  const page = { type: 'mockup', path: 'index.html', content: '<title>Tea</title>' };
  const around = await filesAround({ cwd, output: { artifacts: [page] } });
  if (around === undefined) throw new Error('no files around');
  let now = 0;
  vi.spyOn(Date, 'now').mockImplementation(() => (now += 1000));
  const states = ['a {}', 'b { color: red }', undefined].map((content) => {
    const place = join(cwd, 'style.css');
    if (content === undefined) unlinkSync(place);
    else writeFileSync(place, content);
    return [around.has('style.css'), around.state()];
  });
  vi.restoreAllMocks();
  expect(states.map(([isThere]) => isThere)).toEqual([true, true, false]);
  expect(states[1]).toEqual(states[0]);
  expect(states[2]?.[1]).not.toBe(states[0]?.[1]);
});
