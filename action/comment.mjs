// Writes the one comment of action.yml on a pull request. A failure is a warning: the review has its verdict already.
import { readFileSync } from 'node:fs';
import { passagesLine } from './answers.mjs';
import { call, commentsOf, env, reviewName as name, ownComment, tell } from './github.mjs';

/** The longest comment that GitHub takes, in characters; a little less. */
const most = 65_000;

/** Returns a page that fits into a comment, cut at the end of a line of what is folded. */
function fitted(text) {
  if (text.length <= most) return text;
  const cut = text.slice(0, most);
  const whole = cut.slice(0, Math.max(0, cut.lastIndexOf('\n')));
  return `${whole}\n\n</details>\n\nThe rest is left out; the job summary has more.\n`;
}

/** Puts a text before what is folded. */
function beforeFold(page, text) {
  const at = page.indexOf('\n<details>');
  return at < 0 ? `${page}${text}` : `${page.slice(0, at)}${text}${page.slice(at)}`;
}

/** Returns how a person answers what is open, and approves what only waits for that. */
function answerHelp({ open, waits }, sha) {
  if (open.length === 0 && !waits) return '';
  const line = waits ? ['approve', sha.slice(0, 12)] : open.slice(0, 20).map((one) => `${one}=yes`);
  return `\nTo answer, comment such a line, then run the job again:\n\n    /reviewloop ${line.join(' ')}\n`;
}

const runOf = (id, attempt) => Number(id) * 1_000 + Number(attempt);

async function main() {
  const { pull_request: pull } = JSON.parse(readFileSync(env('GITHUB_EVENT_PATH'), 'utf8'));
  const { number } = pull;
  const { sha } = pull.head;
  const run = runOf(env('GITHUB_RUN_ID') || 0, env('GITHUB_RUN_ATTEMPT') || 1);
  const now = await call('GET', `/pulls/${number}`);
  if (now.head.sha !== sha)
    return process.stdout.write(`the comment stays: ${sha} is not the last commit any more\n`);
  const earlier = ownComment(await commentsOf(number));
  const [, seen, by] = /^<!-- reviewloop:\S+ ([0-9a-f]+) (\d+) -->/.exec(earlier?.body ?? '') ?? [];
  if (seen === sha && Number(by) > run)
    return process.stdout.write(`the comment stays: a later run has reviewed ${sha}\n`);
  const page = readFileSync(env('REVIEWLOOP_MARKDOWN'), 'utf8');
  const { passages, ...verdict } = JSON.parse(readFileSync(env('REVIEWLOOP_VERDICT'), 'utf8'));
  const head = `<!-- reviewloop:${name} ${sha} ${run} -->\n${passagesLine(passages)}`;
  const body = fitted(`${head}${beforeFold(page, answerHelp(verdict, sha))}`);
  if (earlier === undefined) await call('POST', `/issues/${number}/comments`, { body });
  else await call('PATCH', `/issues/comments/${earlier.id}`, { body });
  return process.stdout.write(`the comment is ${earlier === undefined ? 'written' : 'updated'}\n`);
}

await main().catch((error) =>
  tell('warning', `the comment could not be written: ${error.message}`),
);
