/** An agent that edits files in a folder, with a failing check: a rejected attempt leaves nothing behind, and what is approved is what is on the disk. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { definePipeline } from 'reviewloop';
import { folderWorkspace } from 'reviewloop/stores/file';

const top = await mkdtemp(join(tmpdir(), 'folder-agent-'));
const site = join(top, 'site');
await mkdir(site);
await writeFile(join(site, 'README.md'), 'was here before\n');

const attempts = [
  // breaks what worked, and leaves junk
  async () => {
    await writeFile(join(site, 'sum.mjs'), 'export const sum = (a, b) => String(a) + b;\n');
    await writeFile(join(site, 'scratch.txt'), 'trying things\n');
    await rm(join(site, 'README.md'));
  },
  async () =>
    writeFile(
      join(site, 'sum.mjs'),
      'export const sum = (...all) => all.reduce((a, b) => a + b, 0);\n',
    ),
];

/** Runs an expression over the module in the folder, as a test would. */
function holds(expression: string): Promise<boolean> {
  const code = `import { sum } from './sum.mjs'; process.exit(${expression} ? 0 : 1)`;
  return new Promise((resolve) =>
    execFile(process.execPath, ['--input-type=module', '-e', code], { cwd: site }, (error) =>
      resolve(error === null),
    ),
  );
}

const agent = definePipeline({
  workspace: folderWorkspace(site, { store: join(top, 'states') }),
  produce: async (task: string) => {
    await writeFile(join(site, 'sum.mjs'), 'export const sum = (a, b) => a + b;\n');
    return `worked on: ${task}`;
  },
  address: async (output, gaps) => {
    console.log(
      `address: ${gaps.map((gap) => gap.criterionId).join(', ')}; the folder holds ${(await readdir(site)).join(', ')}`,
    );
    await attempts.shift()?.();
    return output;
  },
  criteria: {
    'adds-two': async () => (await holds('sum(1, 2) === 3')) || 'sum(1, 2) is not 3',
    'adds-many': async () => (await holds('sum(1, 2, 3) === 6')) || 'sum(1, 2, 3) is not 6',
    'has-readme': async () => (await readdir(site)).includes('README.md') || 'the README is gone',
  },
});

agent.on('review-end', ({ review, best }) =>
  console.log(
    `review ${review.iteration}: ${review.gaps.filter((gap) => gap.lifecycle !== 'fixed').length} gaps${best ? ', the best so far' : ', not kept'}`,
  ),
);
const outcome = await agent.run('add numbers');
console.log(`${outcome.status}; the folder holds ${(await readdir(site)).join(', ')}`);
console.log((await readFile(join(site, 'sum.mjs'), 'utf8')).trim());
await rm(top, { recursive: true });
