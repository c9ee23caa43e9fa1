// Runs the review of a pull request for action.yml. Inputs are environment variables; outputs go to GITHUB_OUTPUT.
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Ends the step with a message that GitHub shows. */
function stop(message) {
  const data = message.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  process.stdout.write(`::error title=reviewloop::${data}\n`);
  process.exit(2);
}

const env = (name) => (process.env[name] ?? '').trim();
const linesOf = (text) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** Runs git without a shell and returns its output; `undefined` if it fails. */
function git(...argv) {
  const { status, stdout } = spawnSync('git', argv, { encoding: 'utf8', maxBuffer: 2 ** 28 });
  return status === 0 ? stdout : undefined;
}

function readEvent() {
  const file = env('GITHUB_EVENT_PATH');
  return file === '' ? {} : JSON.parse(readFileSync(file, 'utf8'));
}

function pullRequest(event) {
  const { pull_request: own, merge_group: group } = event;
  const [title, ...body] = (group?.head_commit?.message ?? '').split('\n');
  // a merge queue names no pull request: its commit has the title and the description
  const pull =
    own ?? (group && { base: { sha: group.base_sha }, title, body: body.join('\n').trim() });
  if (pull === undefined)
    stop(
      `the event ${env('GITHUB_EVENT_NAME')} has no pull request; ` +
        'run the action on pull_request and merge_group',
    );
  if (!/^[0-9a-f]{40,64}$/.test(pull.base?.sha ?? '')) stop('the event names no base commit');
  return pull;
}

/** Gets the history that the diff needs, where the checkout is shallow. */
function requireHistory(base) {
  const known = () => git('merge-base', base, 'HEAD') !== undefined;
  if (known()) return;
  const shallow = git('rev-parse', '--is-shallow-repository')?.trim() === 'true';
  git('fetch', '--no-tags', ...(shallow ? ['--unshallow'] : []), 'origin', base);
  if (!known()) stop(`the history of ${base} is missing; use actions/checkout with fetch-depth: 0`);
}

/** Returns the file of the task: the one that the input names, or the text of the pull request. */
function taskFile(folder, { title, body }) {
  const given = env('REVIEWLOOP_TASK');
  if (given !== '') return given;
  const file = join(folder, 'task.md');
  writeFileSync(file, `${title ?? ''}\n\n${body ?? ''}\n`);
  return file;
}

/** Returns the changed files that still exist, below the paths of the input. */
function changedFiles(range, paths) {
  const listed = git('diff', '--name-only', '-z', '--diff-filter=d', range, '--', ...paths);
  if (listed === undefined) stop(`git cannot compare ${range}`);
  return listed.split('\0').filter((path) => path !== '' && existsSync(path));
}

/** Returns the arguments of the review; `undefined` if no file is left to review. */
function reviewArguments(range, task) {
  const paths = linesOf(env('REVIEWLOOP_PATHS'));
  const criteria = env('REVIEWLOOP_CRITERIA');
  const about = ['--task', task];
  if (criteria === '') return ['review', '--diff', range, ...about, '--', ...paths];
  const files = changedFiles(range, paths);
  if (files.length === 0) return undefined;
  return ['review', '--criteria', criteria, ...about, '--', ...files];
}

/** Returns the words of the command that starts reviewloop. */
function command() {
  const given = env('REVIEWLOOP_COMMAND');
  if (given !== '') return given.split(/\s+/);
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  return ['npx', '--yes', `reviewloop@${version}`];
}

const ranks = ['minor', 'major', 'critical'];

/** Returns whether an open gap of the report is as severe as `floor`. */
function hasOpenGap(sarif, floor) {
  const [{ results }] = JSON.parse(readFileSync(sarif, 'utf8')).runs;
  return results.some(
    ({ properties: { state, severity } }) =>
      state === 'open' && ranks.indexOf(severity) >= ranks.indexOf(floor),
  );
}

/** Returns the exit code of the action. */
function codeAfter(code, sarif) {
  const floor = env('REVIEWLOOP_FAIL_ON');
  if (floor === 'never') return code >= 50 && code <= 53 ? 0 : code;
  return code === 0 && floor !== '' && hasOpenGap(sarif, floor) ? 50 : code;
}

/** Returns whether code scanning takes the report. It costs extra in private repositories. */
function mayUpload() {
  return upload === 'true' || (upload === 'auto' && event.repository?.private !== true);
}

const floor = env('REVIEWLOOP_FAIL_ON');
if (!['', 'never', ...ranks].includes(floor))
  stop(`fail-on is critical, major, minor or never, not ${JSON.stringify(floor)}`);
const required = env('REVIEWLOOP_REQUIRE') || (env('REVIEWLOOP_PROVIDER') ? 'approved' : 'checks');
if (!['checks', 'approved'].includes(required))
  stop(`require is checks or approved, not ${JSON.stringify(required)}`);
const upload = env('REVIEWLOOP_UPLOAD');
if (!['auto', 'true', 'false'].includes(upload))
  stop(`upload is auto, true or false, not ${JSON.stringify(upload)}`);
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19))
  stop(
    `reviewloop needs Node 20.19 or newer, not ${process.versions.node}; use actions/setup-node`,
  );

const event = readEvent();
const pull = pullRequest(event);
requireHistory(pull.base.sha);
const folder = mkdtempSync(join(env('RUNNER_TEMP') || '.', 'reviewloop-'));
const sarif = join(folder, 'review.sarif');
const markdown = join(folder, 'review.md');
const argv = reviewArguments(`${pull.base.sha}...HEAD`, taskFile(folder, pull));
if (argv === undefined) {
  process.stdout.write('no changed file is left to review\n');
  appendFileSync(env('GITHUB_OUTPUT'), 'code=0\n');
  process.exit(0);
}
const [program, ...before] = command();
const provider = env('REVIEWLOOP_PROVIDER');
const options = [
  ...['--require', required],
  ...(provider === '' ? [] : ['--provider', provider]),
  ...[`sarif=${sarif}`, `markdown=${markdown}`, ...linesOf(env('REVIEWLOOP_REPORT'))].flatMap(
    (report) => ['--report', report],
  ),
];
const [name, ...rest] = argv;
const { status, error } = spawnSync(program, [...before, name, ...options, ...rest], {
  stdio: ['ignore', 'inherit', 'inherit'],
});
if (error !== undefined) stop(`${program} cannot be started: ${error.message}`);
const written = (file) => (existsSync(file) ? file : '');
const code = existsSync(sarif) ? codeAfter(status ?? 1, sarif) : (status ?? 1) || 1;
appendFileSync(
  env('GITHUB_OUTPUT'),
  `code=${code}\nsarif=${written(sarif)}\nmarkdown=${written(markdown)}\nupload=${existsSync(sarif) && mayUpload()}\n`,
);
