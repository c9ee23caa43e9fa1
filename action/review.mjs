// Runs the review of a pull request for action.yml. Inputs are environment variables; outputs go to GITHUB_OUTPUT.
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { answerWords, approvalAsked, countedAnswers, countedApproval } from './answers.mjs';
import { env, tell } from './github.mjs';
import { verdictOf } from './verdict.mjs';

/** Ends the step with a message that GitHub shows. */
function stop(message) {
  tell('error', message);
  process.exit(2);
}

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
    own ??
    (group && { ...group, base: { sha: group.base_sha }, title, body: body.join('\n').trim() });
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

/** Returns whether code scanning takes the report. It costs extra in private repositories. */
function mayUpload() {
  return upload === 'true' || (upload === 'auto' && event.repository?.private !== true);
}

const keys = { openai: 'OPENAI_API_KEY', anthropic: 'ANTHROPIC_API_KEY' };

/** Returns the model to ask; none where a fork, which gets no secrets, has no key for it. */
function providerOf({ pull_request: own }) {
  const provider = env('REVIEWLOOP_PROVIDER');
  const key = keys[provider.split(':')[0]];
  const isFork = own !== undefined && own.head.repo?.full_name !== env('GITHUB_REPOSITORY');
  if (!isFork || key === undefined || env(key) !== '') return provider;
  tell('warning', `a pull request of a fork has no ${key}: no model is asked`);
  return '';
}

const failOn = env('REVIEWLOOP_FAIL_ON');
if (!['', 'never', 'critical', 'major', 'minor'].includes(failOn))
  stop(`fail-on is critical, major, minor or never, not ${JSON.stringify(failOn)}`);
const required = env('REVIEWLOOP_REQUIRE') || (env('REVIEWLOOP_PROVIDER') ? 'approved' : 'checks');
if (!['checks', 'judged', 'approved'].includes(required))
  stop(`require is checks, judged or approved, not ${JSON.stringify(required)}`);
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
const verdictFile = join(folder, 'verdict.json');
const reports = [
  ...[`sarif=${sarif}`, `markdown=${markdown}`, ...linesOf(env('REVIEWLOOP_REPORT'))].flatMap(
    (report) => ['--report', report],
  ),
];
const [program, ...before] = command();

/** Runs reviewloop. What it writes is returned if it is kept; else the log shows it. */
function reviewloop(argv, { isKept = false, summary } = {}) {
  const { status, stdout, error } = spawnSync(program, [...before, ...argv], {
    stdio: ['ignore', isKept ? 'pipe' : 'inherit', 'inherit'],
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    env: { ...process.env, ...(summary !== undefined && { GITHUB_STEP_SUMMARY: summary }) },
  });
  if (error !== undefined) stop(`${program} cannot be started: ${error.message}`);
  return { code: status ?? 1, text: stdout ?? '' };
}

/** Returns the report of the run that wrote the SARIF file. */
function reportOfRun() {
  if (!existsSync(sarif)) return undefined;
  const [{ automationDetails }] = JSON.parse(readFileSync(sarif, 'utf8')).runs;
  const id = automationDetails?.id.split('/').at(-1) ?? '';
  const { code, text } = reviewloop(['runs', id, '--format', 'json'], { isKept: true });
  return code === 0 ? JSON.parse(text) : undefined;
}

/** Returns what people answered in comments. It was read before anything of the change ran. */
function answersOf() {
  const file = env('REVIEWLOOP_ANSWERS');
  return file === '' ? { answers: [], known: {} } : JSON.parse(readFileSync(file, 'utf8'));
}

/**
 * Reviews, then gives the answers that people wrote, by the command that takes every answer. Only the
 * last of these commands is shown.
 */
function reviewed(argv, given) {
  const isHeld = given.answers.length > 0;
  const held = join(folder, 'summary.md');
  const step = (words) => {
    rmSync(held, { force: true });
    const done = reviewloop(words, { isKept: isHeld, ...(isHeld && { summary: held }) });
    return { ...done, report: reportOfRun() };
  };
  let last = step(argv);
  const { people, passages } =
    last.report === undefined ? { people: [], passages: {} } : countedAnswers(last.report, given);
  for (const person of people) last = step([...answerWords(last.report.runId, person), ...reports]);
  const approval = countedApproval(last.report, given);
  if (approval !== undefined) last = step([...approval.words, ...reports]);
  if (isHeld) process.stdout.write(last.text);
  if (existsSync(held)) appendFileSync(env('GITHUB_STEP_SUMMARY'), readFileSync(held));
  const { code, report } = last;
  return { code, report, passages: { ...passages, ...approval?.passages } };
}

/** Writes the outputs of the step. */
function output({ code, ...verdict }) {
  writeFileSync(verdictFile, JSON.stringify(verdict));
  const written = (file) => (existsSync(file) ? file : '');
  appendFileSync(
    env('GITHUB_OUTPUT'),
    `code=${code}\nsarif=${written(sarif)}\nmarkdown=${written(markdown)}\n` +
      `verdict=${verdictFile}\nupload=${existsSync(sarif) && mayUpload()}\n`,
  );
}

const argv = reviewArguments(`${pull.base.sha}...HEAD`, taskFile(folder, pull));
if (argv === undefined) {
  process.stdout.write('no changed file is left to review\n');
  const title = 'Nothing to review';
  output({
    code: 0,
    conclusion: 'skipped',
    title,
    summary: '',
    open: [],
    passages: {},
    waits: false,
  });
} else {
  const [name, ...rest] = argv;
  const provider = providerOf(event);
  const options = [
    ...['--require', required === 'checks' ? 'checks' : 'approved'],
    ...(provider === '' ? [] : ['--provider', provider]),
    ...reports,
  ];
  const { code, report, passages } = reviewed([name, ...options, ...rest], answersOf());
  const verdict = verdictOf(report, { code, required, failOn });
  const open = report?.undecided.filter(({ mandatory }) => mandatory !== false) ?? [];
  output({
    ...verdict,
    passages,
    open: open.map(({ id, criterion }) => id ?? criterion),
    waits: approvalAsked(report) !== undefined,
  });
}
