// Writes the check run of action.yml, where the token may. Elsewhere the colour of the job says the same.
import { readFileSync } from 'node:fs';
import { call, env, reviewName, tell } from './github.mjs';

async function main() {
  const { pull_request: pull, merge_group: group } = JSON.parse(
    readFileSync(env('GITHUB_EVENT_PATH'), 'utf8'),
  );
  const { conclusion, title, summary } = JSON.parse(
    readFileSync(env('REVIEWLOOP_VERDICT'), 'utf8'),
  );
  await call('POST', '/check-runs', {
    name: reviewName === 'review' ? 'reviewloop' : `reviewloop ${reviewName}`,
    head_sha: pull?.head.sha ?? group.head_sha,
    status: 'completed',
    conclusion,
    output: { title: title.slice(0, 250), summary: (summary || title).slice(0, 65_000) },
  });
  return process.stdout.write(`the check run says: ${title}\n`);
}

await main().catch((error) => {
  if (error.status === 403 || error.status === 404)
    return process.stdout.write('no check run: the job has no `checks: write`\n');
  return tell('warning', `the check run could not be written: ${error.message}`);
});
