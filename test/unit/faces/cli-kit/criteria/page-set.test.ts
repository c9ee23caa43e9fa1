import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { filesAround } from '@/faces/cli-kit/criteria/page-set.js';
import { tempFolder } from '../../../../support/temp-folder.js';

const page = { type: 'mockup', path: 'index.html', content: '<title>Tea</title>' };

/** What is known beside a page in a folder with this stylesheet. */
async function around(style: string | undefined) {
  const cwd = tempFolder('around');
  if (style !== undefined) writeFileSync(join(cwd, 'style.css'), style);
  const files = await filesAround({ cwd, output: { artifacts: [page] } });
  return { isThere: files?.has('style.css'), state: files?.state() };
}

it('the names beside a page decide what its source can load, and no content is read', async () => {
  const [short, long, none] = [
    await around('a {}'),
    await around('b { color: red }'),
    await around(undefined),
  ];
  expect([short.isThere, long.isThere, none.isThere]).toEqual([true, true, false]);
  expect(long.state).toBe(short.state);
  expect(none.state).not.toBe(short.state);
});
