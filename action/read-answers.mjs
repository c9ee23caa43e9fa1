// Reads the answers that people gave in comments, before anything of the change runs: it never sees the token.
import { appendFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answersIn } from './answers.mjs';
import { call, commentsOf, env } from './github.mjs';

async function main() {
  const { pull_request: pull, merge_group: group } = JSON.parse(
    readFileSync(env('GITHUB_EVENT_PATH'), 'utf8'),
  );
  // a merge queue names the pull request in its branch
  const number = pull?.number ?? Number(/\/pr-(\d+)-[0-9a-f]+$/.exec(group?.head_ref)?.[1]);
  if (!Number.isSafeInteger(number)) return;
  const comments = await commentsOf(number);
  if (!comments.some(({ body }) => body?.includes('/reviewloop'))) return;
  const { user } = pull ?? (await call('GET', `/pulls/${number}`));
  // the time of the event is GitHub's; the dates of a commit are what its author says
  const found = answersIn(comments, { author: user?.login, pushedAt: pull?.updated_at });
  // a merge queue tests another commit, so an approval counts there by its content alone
  const head = pull?.head?.sha;
  const file = join(mkdtempSync(join(env('RUNNER_TEMP') || '.', 'reviewloop-')), 'answers.json');
  writeFileSync(file, JSON.stringify({ ...found, head }));
  appendFileSync(env('GITHUB_OUTPUT'), `answers=${file}\n`);
}

await main().catch((error) =>
  process.stdout.write(`no answers were read: ${error.message.replaceAll('\n', ' ')}\n`),
);
