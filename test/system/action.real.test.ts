import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { newRepository, type Repository } from '../support/git-repository.js';
import { type GithubApi, githubApi } from '../support/github-api.js';
import { sarifRun } from '../support/report-readers.js';
import { bin } from './cli-harness.js';

const root = resolve(import.meta.dirname, '../..');

const Action = z.looseObject({
  inputs: z.record(z.string(), z.object({ description: z.string(), default: z.string() })),
  runs: z.object({
    using: z.literal('composite'),
    steps: z.array(
      z.looseObject({
        id: z.string().optional(),
        if: z.string().optional(),
        uses: z.string().optional(),
        shell: z.string().optional(),
        env: z.record(z.string(), z.string()).optional(),
        run: z.string().optional(),
      }),
    ),
  }),
});
const action = Action.parse(parse(readFileSync(join(root, 'action.yml'), 'utf8')));

/** What a run of the action did. */
interface ActionRun {
  /** The exit code of the last step. */
  readonly code: number;
  readonly log: string;
  readonly summary: string;
  /** The files that would be uploaded. */
  readonly uploads: string[];
  readonly outputs: Readonly<Record<string, string>>;
}

interface Given {
  readonly repository: Repository;
  readonly api: GithubApi;
  readonly base: string;
  readonly head: string;
  readonly inputs?: Readonly<Record<string, string>>;
  readonly title?: string;
  readonly body?: string;
  readonly run?: string;
  readonly fork?: boolean;
  readonly isPrivate?: boolean;
  /** Whether the change is in a merge queue. */
  readonly queued?: boolean;
}

/** Runs the steps of action.yml as a runner does: expressions, conditions, outputs, environment. */
async function runAction(given: Given): Promise<ActionRun> {
  const { repository, api, base, head, run = '1', fork = false } = given;
  const temp = join(repository.cwd, '.git', `temp-${run}-${head.slice(0, 6)}`);
  mkdirSync(temp, { recursive: true });
  const full = fork ? 'stranger/name' : 'owner/name';
  const pull = {
    number: 7,
    title: given.title ?? 'Add a constant',
    body: given.body ?? null,
    base: { sha: base, ref: 'main' },
    head: { sha: head, repo: { full_name: full } },
  };
  const event = join(temp, 'event.json');
  const group = { base_sha: base, head_commit: { message: `${pull.title} (#7)\n\nBy hand.` } };
  const about = given.queued === true ? { merge_group: group } : { pull_request: pull };
  const { isPrivate = false } = given;
  writeFileSync(event, JSON.stringify({ ...about, repository: { private: isPrivate } }));
  const inputs = {
    ...Object.fromEntries(Object.entries(action.inputs).map(([name, one]) => [name, one.default])),
    command: `${process.execPath} ${bin}`,
    token: 'made-up-token',
    ...given.inputs,
  };
  const values: Record<string, string> = {
    'github.event.pull_request.head.repo.full_name': given.queued === true ? '' : full,
    'github.repository': 'owner/name',
    ...Object.fromEntries(Object.entries(inputs).map(([name, value]) => [`inputs.${name}`, value])),
  };
  const summary = join(temp, 'summary.md');
  const outputFile = join(temp, 'output');
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: temp,
    GITHUB_ACTIONS: 'true',
    GITHUB_ACTION_PATH: root,
    GITHUB_API_URL: api.url,
    GITHUB_SERVER_URL: 'https://github.example',
    GITHUB_REPOSITORY: 'owner/name',
    GITHUB_EVENT_PATH: event,
    GITHUB_EVENT_NAME: 'pull_request',
    GITHUB_OUTPUT: outputFile,
    GITHUB_STEP_SUMMARY: summary,
    GITHUB_RUN_ID: run,
    GITHUB_RUN_ATTEMPT: '1',
    RUNNER_TEMP: temp,
  };
  const outputs: Record<string, string> = {};
  const uploads: string[] = [];
  let log = '';
  let code = 0;
  for (const step of action.runs.steps) {
    if (code !== 0 || !holds(step.if, values)) continue;
    if (step.uses !== undefined) {
      uploads.push(outputs['sarif'] ?? '');
      continue;
    }
    const own = Object.entries(step.env ?? {}).map(([name, text]) => [name, filled(text, values)]);
    writeFileSync(outputFile, '');
    const ended = await bash(step.run ?? '', repository.cwd, {
      ...env,
      ...Object.fromEntries(own),
    });
    log += ended.log;
    code = ended.code;
    for (const line of readFileSync(outputFile, 'utf8').split('\n')) {
      const [, name, value = ''] = /^(\w+)=(.*)$/.exec(line) ?? [];
      if (name === undefined) continue;
      outputs[name] = value;
      values[`steps.${step.id}.outputs.${name}`] = value;
    }
  }
  return {
    code,
    log,
    uploads,
    outputs,
    summary: existsSync(summary) ? readFileSync(summary, 'utf8') : '',
  };
}

function filled(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\$\{\{ ([\w.-]+) \}\}/g, (_, name: string) => values[name] ?? '');
}

/** Returns whether the condition of a step holds: comparisons that are joined by `&&`. */
function holds(condition: string | undefined, values: Readonly<Record<string, string>>): boolean {
  if (condition === undefined) return true;
  const read = (term: string): string =>
    term.startsWith("'") ? term.slice(1, -1) : (values[term] ?? '');
  return condition.split('&&').every((part) => {
    const [, left = '', sign, right = ''] = /^\s*(\S+) (==|!=) (\S+)\s*$/.exec(part) ?? [];
    if (sign === undefined) throw new Error(`not a comparison: ${part}`);
    return (read(left) === read(right)) === (sign === '==');
  });
}

function bash(
  line: string,
  cwd: string,
  env: Record<string, string>,
): Promise<{ code: number; log: string }> {
  const child = spawn('bash', ['-eo', 'pipefail', '-c', line], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      log += text;
    });
  return new Promise((done) => void child.on('close', (code) => done({ code: code ?? 1, log })));
}

/** A repository with a change that contains a secret, and the API of its pull request. */
async function changed(
  content = 'export const a = 1;\nexport const password = "hunter2-sk_live_51H8abcdefghijklmnop";\n',
) {
  const repository = newRepository();
  repository.write('src/a.ts', 'export const a = 1;\n');
  repository.write('TASK.md', 'Add a constant.\n');
  const base = repository.commit('base');
  repository.write('src/a.ts', content);
  const head = repository.commit('change');
  const api = await githubApi();
  api.head = head;
  return { repository, api, base, head };
}

/** The workflow commands that a runner finds in a log, by name. */
function commandsIn(log: string): string[] {
  return log
    .split(/\r\n|[\n\r]/)
    .flatMap((line) => /^\s*::([\w-]+)/.exec(line)?.[1] ?? (line.includes('##[') ? ['##['] : []));
}

describe('the action', () => {
  it('reviews the diff of a pull request: annotations, summary, SARIF and a comment', async () => {
    const given = await changed();
    const { code, log, summary, uploads, outputs } = await runAction(given);
    expect(code).toBe(50);
    expect(log).toMatch(/^::error file=src\/a\.ts,line=2,endLine=2,title=critical%3A changes::/m);
    expect(summary).toContain(
      `[src/a.ts:2](https://github.example/owner/name/blob/${given.head}/src/a.ts#L2)`,
    );
    expect(uploads).toEqual([outputs['sarif']]);
    const [result] = sarifRun(readFileSync(outputs['sarif'] ?? '', 'utf8')).results;
    expect(result?.locations[0]?.physicalLocation.artifactLocation.uri).toBe('src/a.ts');
    expect(given.api.comments).toHaveLength(1);
    const body = given.api.comments[0]?.body ?? '';
    expect(body.split('\n')[0]).toBe(`<!-- reviewloop:review ${given.head} 1001 -->`);
    expect(body).toContain(`blob/${given.head}/src/a.ts#L2`);
    expect(`${log}${summary}${body}`).not.toContain('sk_live_51H8');
  });

  it('updates its comment in place, and never by an older run', async () => {
    const given = await changed();
    const { repository, api } = given;
    await runAction(given);
    repository.write('src/a.ts', 'export const a = 2;\n');
    const head = repository.commit('repaired');
    api.head = head;
    await runAction({ ...given, head, run: '2' });
    expect(api.comments).toHaveLength(1);
    const now = api.comments[0]?.body ?? '';
    expect(now).toMatch(new RegExp(`^<!-- reviewloop:review ${head} 2001 -->`));
    // a run of the first commit that ends late
    const late = await runAction({ ...given, run: '3' });
    expect(late.log).toMatch(/the comment stays: [0-9a-f]+ is not the last commit any more/);
    // an earlier run of the same commit that ends late
    const earlier = await runAction({ ...given, head, run: '1' });
    expect(earlier.log).toMatch(/the comment stays: a later run has reviewed/);
    expect(api.comments.map(({ body }) => body)).toEqual([now]);
  });

  it('leaves the comments of people alone, and finds its own behind many others', async () => {
    const given = await changed();
    const forged = '<!-- reviewloop:review abc 99999 -->\nmine';
    given.api.comments.push({ id: 1, body: forged, user: { type: 'User' } });
    for (let id = 2; id < 140; id += 1)
      given.api.comments.push({ id, body: 'a word', user: { type: 'Bot' } });
    await runAction(given);
    await runAction({ ...given, run: '2' });
    expect(given.api.comments[0]?.body).toBe(forged);
    expect(
      given.api.comments.filter(({ body }) => body.includes('reviewloop report')),
    ).toHaveLength(1);
  });

  it('keeps the verdict when the comment cannot be written, and says so', async () => {
    const given = await changed();
    given.api.status = 403;
    const { code, log } = await runAction(given);
    expect(code).toBe(50);
    expect(log).toMatch(
      /^::warning title=reviewloop::the comment could not be written: GET .* answered 403/m,
    );
  });

  const clean = 'export const a = 1;\nexport const b = 2;\n';

  it('passes without a model if all checks pass, says that nothing is approved, and how to go on [R3-070, R3-071]', async () => {
    const given = await changed(clean);
    const { code, log, summary, outputs } = await runAction(given);
    expect({ code, told: outputs['code'] }).toEqual({ code: 0, told: '0' });
    expect(log).toMatch(/^::warning title=reviewloop%3A undecided::/m);
    for (const page of [summary, given.api.comments[0]?.body ?? '']) {
      expect(page).toContain('## reviewloop: Checks passed, 5 questions not judged');
      expect(page).toContain(
        "    gh pr checkout 7\n    gh pr view 7 --json title,body --jq '.title, .body' > pull-7.md\n" +
          '    npx reviewloop review --diff origin/main...HEAD --task pull-7.md',
      );
      expect(page).not.toMatch(/reviewloop (answer|override)/);
    }
    const inputs = { require: 'approved', task: 'TASK.md' };
    const strict = await runAction({ ...given, inputs, run: '2' });
    expect(strict.code).toBe(50);
    expect(strict.summary).toContain('## reviewloop: Not approved yet: 5 questions for you');
    expect(strict.summary).toContain('    gh pr checkout 7\n    npx reviewloop review');
  });

  it('never passes a change with a gap, or one that no check could see [R3-070]', async () => {
    const inputs = { require: 'checks' };
    expect((await runAction({ ...(await changed()), inputs })).code).toBe(50);
    const long = `export const a = 1;\n${'// a line of a very long file\n'.repeat(120_000)}`;
    expect((await runAction({ ...(await changed(long)), inputs })).code).toBe(50);
  });

  it('reviews a merge queue by the commit of its group, without a comment [R3-072]', async () => {
    const given = await changed(clean);
    const { code, summary, log } = await runAction({ ...given, queued: true });
    expect({ code, calls: given.api.calls }).toEqual({ code: 0, calls: [] });
    expect(summary).toContain('Checks passed');
    expect(`${summary}${log}`).not.toContain('gh pr');
    expect((await runAction({ ...(await changed()), queued: true })).code).toBe(50);
  });

  const uploads = [
    ['auto', true, 0],
    ['auto', false, 1],
    ['true', true, 1],
    ['false', false, 0],
  ] as const;
  it.each(uploads)('uploads by `%s`, private: %s [R3-072]', async (upload, isPrivate, count) => {
    const given = await changed();
    const inputs = { upload, comment: 'false' };
    expect((await runAction({ ...given, isPrivate, inputs })).uploads).toHaveLength(count);
  });

  it('writes nothing for a pull request of a fork, and reviews it all the same', async () => {
    const given = await changed();
    const { code, log, uploads } = await runAction({ ...given, fork: true });
    expect({ code, uploads, calls: given.api.calls }).toEqual({ code: 50, uploads: [], calls: [] });
    expect(log).toMatch(/^::error file=src\/a\.ts/m);
  });

  it('takes a task, paths, criteria, further reports and fail-on', async () => {
    const given = await changed();
    const { repository } = given;
    repository.write('other/b.ts', 'export const b = 1;\n');
    const head = repository.commit('more');
    given.api.head = head;
    const inputs = {
      task: 'TASK.md',
      paths: 'other\nmissing folder',
      criteria: 'code',
      report: 'junit=out/junit.xml\nhtml=out/page.html',
      'fail-on': 'never',
      comment: 'false',
      upload: 'false',
    };
    const { code, uploads, outputs } = await runAction({ ...given, head, inputs });
    expect({ code, uploads, calls: given.api.calls }).toEqual({ code: 0, uploads: [], calls: [] });
    const junit = readFileSync(join(repository.cwd, 'out/junit.xml'), 'utf8');
    expect(junit).toContain('<testcase name="code-secrets"');
    expect(existsSync(join(repository.cwd, 'out/page.html'))).toBe(true);
    expect(
      sarifRun(readFileSync(outputs['sarif'] ?? '', 'utf8')).results.map((one) => one.ruleId),
    ).not.toContain('code-secrets');
  });

  it('fails an approved review with an open gap as severe as fail-on', async () => {
    const given = await changed();
    // a program that approves with one open minor gap
    const program = join(given.repository.cwd, '.git', 'approves.mjs');
    writeFileSync(
      program,
      `import { writeFileSync } from 'node:fs';
const [, file] = /sarif=(\\S+)/.exec(process.argv.join(' '));
const properties = { state: 'open', severity: 'minor' };
writeFileSync(file, JSON.stringify({ runs: [{ results: [{ properties }] }] }));`,
    );
    const command = `${process.execPath} ${program}`;
    const codeWith = async (floor: string): Promise<number> =>
      (await runAction({ ...given, inputs: { command, 'fail-on': floor, comment: 'false' } })).code;
    expect(await codeWith('')).toBe(0);
    expect(await codeWith('major')).toBe(0);
    expect(await codeWith('minor')).toBe(50);
    expect(await codeWith('never')).toBe(0);
  });

  it('refuses other words for fail-on, and lets no usage error pass', async () => {
    const given = await changed();
    const codeWith = (inputs: Readonly<Record<string, string>>) => runAction({ ...given, inputs });
    const wrong = await codeWith({ 'fail-on': 'everything' });
    expect(wrong.code).toBe(2);
    expect(wrong.log).toMatch(
      /^::error title=reviewloop::fail-on is critical, major, minor or never/m,
    );
    const others = [{ require: 'all' }, { upload: 'yes' }];
    for (const inputs of others) expect(await codeWith(inputs)).toMatchObject({ code: 2 });
    for (const inputs of [{ task: 'nosuch.md' }, { command: 'nosuch' }])
      expect(await codeWith({ ...inputs, 'fail-on': 'never' })).toMatchObject({ code: 2 });
  });

  it('runs no command that a stranger wrote into the change or its description', async () => {
    const attack = '::add-mask::x\n::stop-commands::y\n  ::set-env name=A::b\n##[error]z\n';
    const given = await changed(
      `${attack}const token = "ghp_${'aB3dE6gH9jK2mN5pQ8sT'.repeat(2).slice(0, 36)}"; // ${attack}`,
    );
    const { log } = await runAction({
      ...given,
      title: '::add-mask::t',
      body: `\n${attack}$(touch pwned) \`touch pwned\``,
    });
    expect(new Set(commandsIn(log))).toEqual(new Set(['error', 'warning', 'notice']));
    expect(existsSync(join(given.repository.cwd, 'pwned'))).toBe(false);
  });

  it('gets the history that a shallow checkout lacks', async () => {
    const given = await changed();
    const shallow = newRepository();
    shallow.git('remote', 'add', 'origin', `file://${given.repository.cwd}`);
    shallow.git('fetch', '-q', '--depth=1', 'origin', 'main');
    shallow.git('checkout', '-q', 'FETCH_HEAD');
    const { code, log } = await runAction({ ...given, repository: shallow });
    expect(log).toMatch(/^::error file=src\/a\.ts,line=2/m);
    expect(code).toBe(50);
  });

  it('pins every action by commit, takes values through the environment only, and never runs on pull_request_target', () => {
    for (const file of ['action.yml', '.github/workflows/review.yml']) {
      const text = readFileSync(join(root, file), 'utf8');
      for (const [, used] of text.matchAll(/uses: (\S+)/g))
        if (used !== './') expect(used).toMatch(/@[0-9a-f]{40}$/);
      expect(text).not.toMatch(/^on:.*\n\s*pull_request_target/m);
      for (const [, line] of text.matchAll(/run: (.*)/g)) expect(line).not.toContain('${{');
    }
  });
});
