// Writes the one comment of action.yml on a pull request. A failure is a warning: the review has its verdict already.
import { readFileSync } from 'node:fs';

const env = (name) => process.env[name] ?? '';
/** The longest comment that GitHub takes, in characters; a little less. */
const most = 65_000;

function warn(message) {
  const data = message.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  process.stdout.write(`::warning title=reviewloop::${data}\n`);
}

async function call(method, path, body) {
  const response = await fetch(
    `${env('GITHUB_API_URL')}/repos/${env('GITHUB_REPOSITORY')}${path}`,
    {
      method,
      headers: {
        accept: 'application/vnd.github+json',
        authorization: `Bearer ${env('REVIEWLOOP_TOKEN')}`,
        'content-type': 'application/json',
        'x-github-api-version': '2022-11-28',
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    },
  );
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}`);
  return response.json();
}

/** Returns the comments of bots on a pull request. */
async function botComments(number) {
  const all = [];
  for (let page = 1; page <= 50; page += 1) {
    const some = await call('GET', `/issues/${number}/comments?per_page=100&page=${page}`);
    // anybody can write the mark into a comment, so only those of bots are changed
    all.push(...some.filter(({ user }) => user?.type === 'Bot'));
    if (some.length < 100) break;
  }
  return all;
}

/** Returns a page that fits into a comment, cut at the end of a line. */
function fitted(text) {
  if (text.length <= most) return text;
  const cut = text.slice(0, most);
  return `${cut.slice(0, Math.max(0, cut.lastIndexOf('\n')))}\n\nThe rest is left out; the job summary has more.\n`;
}

const name =
  env('REVIEWLOOP_NAME')
    .replace(/[^\w.-]+/g, '-')
    .replace(/-{2,}/g, '-') || 'review';
const runOf = (id, attempt) => Number(id) * 1_000 + Number(attempt);

async function main() {
  const { pull_request: pull } = JSON.parse(readFileSync(env('GITHUB_EVENT_PATH'), 'utf8'));
  const { number } = pull;
  const { sha } = pull.head;
  const run = runOf(env('GITHUB_RUN_ID') || 0, env('GITHUB_RUN_ATTEMPT') || 1);
  const now = await call('GET', `/pulls/${number}`);
  if (now.head.sha !== sha)
    return process.stdout.write(`the comment stays: ${sha} is not the last commit any more\n`);
  const earlier = (await botComments(number)).find(({ body = '' }) =>
    body.startsWith(`<!-- reviewloop:${name} `),
  );
  const [, seen, by] = /^<!-- reviewloop:\S+ ([0-9a-f]+) (\d+) -->/.exec(earlier?.body ?? '') ?? [];
  if (seen === sha && Number(by) > run)
    return process.stdout.write(`the comment stays: a later run has reviewed ${sha}\n`);
  const page = readFileSync(env('REVIEWLOOP_MARKDOWN'), 'utf8');
  const body = fitted(`<!-- reviewloop:${name} ${sha} ${run} -->\n${page}`);
  if (earlier === undefined) await call('POST', `/issues/${number}/comments`, { body });
  else await call('PATCH', `/issues/comments/${earlier.id}`, { body });
  return process.stdout.write(`the comment is ${earlier === undefined ? 'written' : 'updated'}\n`);
}

await main().catch((error) => warn(`the comment could not be written: ${error.message}`));
