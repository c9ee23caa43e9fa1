/**
 * An agent that edits files in a folder. A rejected attempt leaves no files behind, and the
 * approved version is exactly what is on disk.
 */
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
  // breaks a check that passed, and leaves a scratch file
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

/** Returns whether an expression over the module in the folder is true. */
function isTrue(expression: string): Promise<boolean> {
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
    const failed = gaps.map((gap) => gap.criterionId).join(', ');
    console.log(`address: ${failed}; the folder contains ${(await readdir(site)).join(', ')}`);
    await attempts.shift()?.();
    return output;
  },
  criteria: {
    'adds-two': async () => (await isTrue('sum(1, 2) === 3')) || 'sum(1, 2) is not 3',
    'adds-many': async () => (await isTrue('sum(1, 2, 3) === 6')) || 'sum(1, 2, 3) is not 6',
    'has-readme': async () => (await readdir(site)).includes('README.md') || 'the README is gone',
  },
});

agent.on('review-end', ({ review, best }) => {
  const open = review.gaps.filter((gap) => gap.lifecycle !== 'fixed').length;
  console.log(`review ${review.iteration}: ${open} gaps, ${best ? 'the best so far' : 'rejected'}`);
});
const outcome = await agent.run('add numbers');
console.log(`${outcome.status}; the folder contains ${(await readdir(site)).join(', ')}`);
console.log((await readFile(join(site, 'sum.mjs'), 'utf8')).trim());
await rm(top, { recursive: true });
