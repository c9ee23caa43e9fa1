import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';
import { newRepository, type Repository } from '../support/git-repository.js';
import { type GithubApi, githubApi } from '../support/github-api.js';
import { bin } from './cli-harness.js';

export const actionRoot = resolve(import.meta.dirname, '../..');

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
const action = Action.parse(parse(readFileSync(join(actionRoot, 'action.yml'), 'utf8')));

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

/** A pull request that the action runs on. */
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
  /** When its head was pushed. */
  readonly pushedAt?: string;
  /** Variables of the step, such as the key of a model. */
  readonly env?: Readonly<Record<string, string>>;
  /** Whether the change is in a merge queue. */
  readonly queued?: boolean;
}

/** Runs the steps of action.yml as a runner does: expressions, conditions, outputs, environment. */
export async function runAction(given: Given): Promise<ActionRun> {
  const { repository, api, base, head, run = '1', fork = false } = given;
  const temp = join(repository.cwd, '.git', `temp-${run}-${head.slice(0, 6)}`);
  mkdirSync(temp, { recursive: true });
  // a runner starts empty
  rmSync(join(repository.cwd, '.reviewloop'), { recursive: true, force: true });
  const full = fork ? 'stranger/name' : 'owner/name';
  const pull = {
    number: 7,
    user: { login: 'author' },
    updated_at: given.pushedAt ?? '2026-11-29T10:00:00Z',
    title: given.title ?? 'Add a constant',
    body: given.body ?? null,
    base: { sha: base, ref: 'main' },
    head: { sha: head, repo: { full_name: full } },
  };
  api.mayWrite = !fork;
  const event = join(temp, 'event.json');
  const group = {
    ...{ base_sha: base, base_ref: 'refs/heads/main', head_sha: head },
    head_ref: `refs/heads/gh-readonly-queue/main/pr-7-${head}`,
    head_commit: { message: `${pull.title} (#7)\n\nBy hand.` },
  };
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
    GITHUB_ACTION_PATH: actionRoot,
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
      ...given.env,
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
export async function changed(
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
