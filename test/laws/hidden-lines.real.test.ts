import { describe, expect, it } from 'vitest';
import type { Diff } from '@/core/diff/diff-source.js';
import { parseDiff } from '@/core/diff/parse-diff.js';
import type { LLMProvider } from '@/index.js';
import { gitDiff } from '@/node/git/git-diff.js';
import { ReviewerStage, workFromDiff } from '@/products/reviewer-stage/index.js';
import { reviewCode, TaskReview } from '@/products/task-review/index.js';
import { newRepository } from '../support/git-repository.js';
import { yesJudge } from '../support/yes-judge.js';

/** A way to review a new file. Returns whether it was approved. */
type Entry = (path: string, content: string, provider: LLMProvider) => Promise<boolean>;

async function diffOf(path: string, content: string): Promise<Diff> {
  const lines = content.split('\n').slice(0, -1);
  const text = [
    `diff --git a/${path} b/${path}`,
    'new file mode 100644',
    '--- /dev/null',
    `+++ b/${path}`,
    `@@ -0,0 +1,${lines.length} @@`,
    ...lines.map((line) => `+${line}`),
    '',
  ].join('\n');
  return { base: 'a'.repeat(40), head: 'working-tree', text, files: await parseDiff(text) };
}

const task = { id: 'T', name: 'Write about tea' };

const entries: Readonly<Record<string, Entry>> = {
  TaskReview: async (path, content, provider) => {
    const repository = newRepository();
    let committed = false;
    const { run } = await new TaskReview({
      diff: gitDiff({ cwd: repository.cwd }),
      provider,
      execute: async () => repository.write(path, content),
      commit: async () => {
        committed = true;
      },
    }).run(task);
    return run.approved || committed;
  },
  reviewCode: async (path, content, provider) => {
    const { verdict } = await reviewCode(
      task,
      { provider },
      { change: await diffOf(path, content) },
    );
    return verdict === 'passed';
  },
  ReviewerStage: async (path, content, provider) => {
    const diff = await diffOf(path, content);
    const work = await workFromDiff(diff, { sessionId: 's', request: 'tea' });
    return (await new ReviewerStage({ provider }).review(work)).decision === 'APPROVED';
  },
  'ReviewerStage without the dimension of safety': async (path, content, provider) => {
    const diff = await diffOf(path, content);
    const work = await workFromDiff(diff, { sessionId: 's', request: 'tea' });
    const stage = new ReviewerStage({ provider, enabled: { safety: false } });
    return (await stage.review(work)).decision === 'APPROVED';
  },
};

const begin = '-----BEGIN PRIVATE KEY-----';
const hiding: readonly (readonly [path: string, content: string])[] = [
  ['a.txt', `// ${begin}\nEVIL one\n`],
  ['a.txt', `${begin}\n${'a1B2c3D4'.repeat(8)}\nEVIL two\n`],
  ['a.txt', `${begin}\nEVIL3aaaaaaaaaaaaaaaaaaaaaaaa\n-----END PRIVATE KEY-----\n`],
  ['a.txt', '/* password = " */ EVIL4 12345; /* " */\n'],
  ['a.txt', '/* example password = " */ EVIL5 12345; /* " */\n'],
  ['test/a.test.txt', '/* password = " */ EVIL6 12345; /* " */\n'],
  ['a.txt', 'const password = `);\nEVIL7 a1b2c3d4e5;\nfoo(`;\n'],
  ['a.txt', 'TOKEN =\n/tmp/EVIL8a1b2c3d4e5\n'],
  ['a.txt', 'password: EVIL9a1b2c3d4e5f6!\n'],
  ['a.txt', 'see https://me:EVIL10a1b2@host/x\n'],
];

/** What a judge was not shown is not approved by its yes. */
async function nothingHiddenIsApproved(entry: Entry, path: string, content: string): Promise<void> {
  const provider = yesJudge();
  const approved = await entry(path, content, provider);
  const [evil = ''] = /EVIL\w*/.exec(content) ?? [];
  const seen = provider.requests.some(({ messages }) =>
    messages.some(({ content: shown }) => shown.includes(evil)),
  );
  expect(approved && !seen, 'approved what was hidden').toBe(false);
}

describe('a yes approves nothing that was hidden as a secret', () => {
  it.each(Object.entries(entries))('of %s', async (_, entry) => {
    for (const [path, content] of hiding) await nothingHiddenIsApproved(entry, path, content);
    expect(await entry('a.txt', 'A line of tea.\n', yesJudge())).toBe(true);
  });

  it('is broken by an entry that hides without a word', async () => {
    const saboteur: Entry = async (_path, _content, provider) => {
      const { text } = await provider.generate({
        messages: [{ role: 'user', content: '[REDACTED]' }],
        signal: new AbortController().signal,
      });
      return text.includes('true');
    };
    await expect(nothingHiddenIsApproved(saboteur, 'a.txt', 'EVIL')).rejects.toThrow(
      'approved what was hidden',
    );
  });
});

it('names the lines that were hidden, and allows them by the end of their path', async () => {
  const change = await diffOf('conf/dev.env', 'A=1\nPASSWORD=hunter2hunter2\n');
  const said = async (allowUnseen: readonly string[]) => {
    const { verdict, error } = await reviewCode(
      task,
      { provider: yesJudge(), allowUnseen },
      { change },
    );
    return `${verdict} ${error ?? ''}`;
  };
  expect(await said([])).toMatch(
    /not shown to reviewers, because it looks like a secret: conf\/dev\.env:2 \(allowUnseen/,
  );
  expect(await said(['dev.env'])).toBe('passed ');
});
