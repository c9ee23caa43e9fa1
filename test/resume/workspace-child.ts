// Runs, or goes on with, an agent that writes files; stops for good at the place it is told. Or brings states back without a pause.
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { fileStore, folderWorkspace } from '@/adapters/stores/file/index.js';
import { definePipeline, type Reviewer } from '@/index.js';
import { reviewerOf } from '../support/reviewer.js';
import { failed, passed } from '../unit/engine/support.js';

const [, , mode = '', directory = '', given = ''] = process.argv;
const root = join(directory, 'work');
const real = folderWorkspace(root, { store: join(directory, 'states') });
const log = join(directory, 'log');

async function reach(place: string): Promise<void> {
  if (place !== given) return;
  console.log('reached');
  setInterval(() => {}, 1000);
  await new Promise<never>(() => {});
}

const write = (path: string, text: string): void => {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), text);
};
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

let restores = 0;
const workspace = {
  ...real,
  restore: async (digest: string) => {
    restores += 1;
    await reach(`restore ${restores} before`);
    await real.restore(digest);
    await reach(`restore ${restores} after`);
  },
};

const tests: Reviewer<string, string> = reviewerOf('tests', async ({ iteration }, context) => {
  const text = await context.check(z.string(), async () => {
    appendFileSync(log, `review ${iteration}\n`);
    const found = read('src/a.txt');
    write('coverage/report.txt', `junk of ${iteration}`);
    await reach(`review ${iteration} inside`);
    return found;
  });
  await reach(`review ${iteration} after`);
  return [text === 'one two fixed' ? passed('tests') : failed('tests', text)];
});

const pipeline = definePipeline<string, string>({
  workspace,
  store: fileStore(join(directory, 'store')),
  produce: async (_task, context) => {
    for (const name of ['one', 'two']) {
      await context.step(name, { input: name, schema: z.null() }, async () => {
        appendFileSync(log, `produce ${name}\n`);
        write('src/a.txt', name === 'one' ? 'one' : `${read('src/a.txt')} ${name}`);
        write(`half-${name}.txt`, 'left by a step');
        await reach(`produce ${name} inside`);
        rmSync(join(root, `half-${name}.txt`));
        return null;
      });
      await reach(`produce ${name} after`);
    }
    return 'done';
  },
  address: async (output) => {
    appendFileSync(log, 'address\n');
    rmSync(join(root, 'given.txt'));
    write('half-addressed/x.txt', 'x');
    write('src/a.txt', `${read('src/a.txt')} fixed`);
    await reach('address inside');
    rmSync(join(root, 'half-addressed'), { recursive: true });
    return output;
  },
  reviewers: [tests],
});

if (mode === 'run') {
  const {
    status,
    code,
    output,
    reviews,
    workspace: tree,
  } = await pipeline.run('task', { runId: 'r' });
  console.log(
    JSON.stringify({
      status,
      code,
      output,
      reviews: reviews.map((review) => review.version),
      tree,
    }),
  );
} else {
  const digests = given.split(',');
  for (let turn = 0; ; turn += 1) {
    console.log('restoring');
    await real.restore(digests[turn % digests.length] ?? '');
  }
}
