import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { claudeCommand } from '@/adapters/providers/cli/claude-command.js';
import { cliProvider } from '@/adapters/providers/cli/cli-provider.js';
import { codexCommand } from '@/adapters/providers/cli/codex-command.js';
import { folderWorkspace } from '@/adapters/stores/file/index.js';
import { command } from '@/blocks/reviewers/command/command.js';
import type { LLMProvider } from '@/index.js';
import { gitDiff } from '@/node/git/git-diff.js';
import { type TaskResult, TaskReview } from '@/products/task-review/index.js';
import { describeCli } from '../support/cli-binaries.js';
import { newRepository } from '../support/git-repository.js';
import { type StreamMode, streamServer, type Turns } from '../support/stream-server.js';
import { fileFolder } from '../support/temp-folder.js';

const home = fileFolder('tasks-cli-home');
/** A new folder, gone after all tests. */
const newFolder = (): string => mkdtempSync(join(home, 'folder-'));
const key = 'test-key-0123456789abcdef';

const providers = {
  claude: (executable: string, url: string, cwd?: string): LLMProvider =>
    cliProvider({
      command: claudeCommand({ executable, auth: 'key', edits: cwd !== undefined }),
      cwd,
      model: 'claude-sonnet-5-5',
      env: { HOME: home, ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: url },
    }),
  codex: (executable: string, url: string, cwd?: string): LLMProvider => {
    const service = `model_providers.loop={name="loop",base_url="${url}/v1",env_key="LOOP_KEY",wire_api="responses",request_max_retries=0,stream_max_retries=0}`;
    return cliProvider({
      command: codexCommand({
        executable,
        edits: cwd !== undefined,
        args: ['-c', 'model_provider="loop"', '-c', service],
      }),
      cwd,
      model: 'gpt-5.5',
      env: { HOME: home, CODEX_HOME: home, LOOP_KEY: key },
    });
  },
};

/** A task that is done, reviewed by the real program with the template for it; and what the program asked its service. */
async function reviewed(
  cliName: keyof typeof providers,
  executable: string,
  { mode, verdicts }: { readonly mode: StreamMode; readonly verdicts: 'markers' | 'structured' },
) {
  const server = await streamServer(cliName === 'claude' ? 'anthropic' : 'openai', mode, {
    verdict: 'passed',
    reason: 'all of it is there',
    issues: [],
  });
  const repository = newRepository();
  repository.write('api.js', 'exports.value = 0;\n');
  repository.commit('first');
  try {
    const review = new TaskReview({
      diff: gitDiff({ cwd: repository.cwd }),
      execute: async () => repository.write('api.js', 'exports.value = 1;\n'),
      provider: providers[cliName](executable, server.url),
      review: { cliName, verdicts },
    });
    const result: TaskResult = await review.run({
      id: 'TASK-003',
      name: 'Add API endpoints',
      checklist: [{ text: 'handles errors', done: false }],
    });
    return { result, asked: server.seen.map(({ body }) => JSON.stringify(body)).join('\n') };
  } finally {
    await server.close();
  }
}

type CliName = keyof typeof providers;
type Turn = ReturnType<Turns>;

/** How each program changes the file with tools of its own, one call after the other. */
const edits: Readonly<Record<CliName, (file: string) => readonly Turn[]>> = {
  claude: (file) => [
    { tool: 'Read', input: { file_path: file } },
    { tool: 'Edit', input: { file_path: file, old_string: 'value = 1', new_string: 'value = 2' } },
  ],
  codex: () => [
    {
      tool: 'apply_patch',
      input:
        '*** Begin Patch\n*** Update File: api.js\n@@\n-exports.value = 1;\n+exports.value = 2;\n*** End Patch',
    },
  ],
};

/** What a reviewer says in the end, in each form. */
function said(cliName: CliName, form: 'markers' | 'structured', verdict: 'fixed' | 'passed'): Turn {
  const issues =
    verdict === 'fixed'
      ? [{ severity: 'major', text: 'a wrong value', file: 'api.js', line: 1, fixed: true }]
      : [];
  if (form === 'markers')
    return {
      text: `${verdict === 'fixed' ? 'MAJOR: a wrong value (api.js:1)\n' : ''}REVIEW_${verdict.toUpperCase()}: so it is`,
    };
  const answer = { verdict, reason: 'so it is', issues };
  return cliName === 'claude'
    ? { tool: 'StructuredOutput', input: answer }
    : { text: JSON.stringify(answer) };
}

/** A task whose work the real program changes while it reviews it; with what tests and linter saw, and what the program asked. */
async function repaired(
  cliName: CliName,
  executable: string,
  {
    verdicts,
    canEdit = true,
  }: { readonly verdicts: 'markers' | 'structured'; readonly canEdit?: boolean },
) {
  const repository = newRepository();
  const { cwd } = repository;
  const calls = edits[cliName](join(cwd, 'api.js'));
  const server = await streamServer(cliName === 'claude' ? 'anthropic' : 'openai', {
    turns: (asked, used) =>
      asked.includes('+exports.value = 2;') && used === 0
        ? said(cliName, verdicts, 'passed')
        : (calls[used] ?? said(cliName, verdicts, 'fixed')),
  });
  const log = join(newFolder(), 'seen.txt');
  const seeing = (id: 'tests' | 'lint') => ({
    id,
    run: ['sh', '-c', `printf '${id}: ' >> '${log}'; cat api.js >> '${log}'`],
    cwd,
  });
  repository.write('api.js', 'exports.value = 0;\n');
  repository.commit('first');
  try {
    const workspace = folderWorkspace(cwd, { store: newFolder() });
    const review = new TaskReview({
      diff: gitDiff({ cwd }),
      execute: async () => repository.write('api.js', 'exports.value = 1;\n'),
      tests: command(seeing('tests')),
      lint: command(seeing('lint')),
      provider: providers[cliName](executable, server.url, canEdit ? cwd : undefined),
      review: { cliName, verdicts },
      workspace,
    });
    const result = await review.run({ id: 'TASK-003', name: 'Add API endpoints' });
    return {
      result,
      seen: readFileSync(log, 'utf8'),
      asked: server.seen.map(({ body }) => JSON.stringify(body)),
      file: readFileSync(join(cwd, 'api.js'), 'utf8'),
      tree: await workspace.snapshot(),
    };
  } finally {
    await server.close();
  }
}

const failure =
  'I looked at all of it.\nMAJOR: No error handling in API call (api.js:1)\nREVIEW_FAILED: one issue';
const ends = {
  claude: 'then say REVIEW_FIXED. Do not commit.',
  codex: 'fix what you find and say REVIEW_FIXED. Do not commit.',
};

for (const cliName of ['claude', 'codex'] as const) {
  describeCli(cliName, (executable) => {
    it('is asked with its template, and its marker is the verdict on the task', async () => {
      const { result, asked } = await reviewed(cliName, executable, {
        mode: { text: failure },
        verdicts: 'markers',
      });
      expect(result).toMatchObject({
        status: 'success',
        machineVerdict: 'failed',
        issues: 1,
        reviewFindings: expect.stringContaining('MAJOR: No error handling'),
        run: { status: 'accepted', approved: false },
      });
      for (const part of [
        '## Task Completed: TASK-003 — Add API endpoints',
        '- [ ] handles errors',
        '+exports.value = 1;',
        ends[cliName],
      ])
        expect(asked).toContain(part);
    });

    for (const verdicts of ['markers', 'structured'] as const) {
      it(`changes files with its own tools; what it has fixed is tested, linted and reviewed again (${verdicts})`, async () => {
        const { result, seen, file, tree } = await repaired(cliName, executable, { verdicts });
        expect(file).toBe('exports.value = 2;\n');
        expect(seen).toBe(
          'tests: exports.value = 1;\nlint: exports.value = 1;\ntests: exports.value = 2;\nlint: exports.value = 2;\n',
        );
        expect(result).toMatchObject({
          success: true,
          reviewStatus: 'fixed',
          issues: 1,
          run: {
            status: 'approved',
            workspace: tree,
            output: {
              repairs: 1,
              change: { diff: expect.stringContaining('+exports.value = 2;') },
            },
          },
        });
        const [before, after] = result.run.reviews.map(({ version }) => version);
        expect(result.run.reviews).toHaveLength(2);
        expect(after).toBe(result.run.version);
        expect(before).not.toBe(after);
      });
    }

    it('that may not edit cannot: the call of its tool is refused, and a word of fixing is no verdict', async () => {
      const { result, file } = await repaired(cliName, executable, {
        verdicts: 'markers',
        canEdit: false,
      });
      expect(file).toBe('exports.value = 1;\n');
      expect(result).toMatchObject({ machineVerdict: 'error', run: { approved: false } });
      expect(JSON.stringify(result.run.reviews)).toContain(
        'the review says REVIEW_FIXED, but changed no file',
      );
    });

    it('gives a structured verdict on a task', async () => {
      const { result } = await reviewed(cliName, executable, {
        mode: 'answer',
        verdicts: 'structured',
      });
      expect(result).toMatchObject({
        success: true,
        reviewStatus: 'passed',
        issues: 0,
        run: { status: 'approved' },
      });
      expect(result.attempts[0]?.reviewUsage).toMatchObject({ inputTokens: 11, outputTokens: 7 });
    });
  });
}
