import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { root } from '../architecture/repository.js';
import { describePostgres } from '../support/postgres.js';
import {
  isRunElsewhere,
  runSnippets,
  runTestFiles,
  type SnippetRun,
  testFilesAmong,
  whyNotRun,
} from './snippet-runs.js';
import { snippetsOf } from './snippets.js';

const files = [
  'README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name.replaceAll('\\', '/')}`)
    .sort(),
];
const snippets = files.flatMap((path) => snippetsOf(path, readFileSync(join(root, path), 'utf8')));
const runnable = snippets.filter((snippet) => whyNotRun(snippet) === undefined);
const elsewhere = snippets.filter((snippet) => isRunElsewhere(snippet)).length;
const others = snippets.length - runnable.length - elsewhere;

const planted = (code: string, prints?: string) =>
  snippetsOf(
    'planted/page.md',
    `\`\`\`ts\n${code}\n\`\`\`\n${prints === undefined ? '' : `\nIt prints:\n\n\`\`\`text\n${prints}\n\`\`\`\n`}`,
  );

/** Those that need a database, which one of this machine replaces. */
const overServer = snippets.filter(({ marks }) => marks.includes('needs=postgres'));

/** What is wrong with a run, as a text with the place of the snippet. */
function faultOf({ snippet, code, out, err }: SnippetRun): string[] {
  const place = `${snippet.file}:${snippet.line}`;
  const crashes = snippet.marks.includes('crashes');
  if ((code === 0) === crashes) return [`${place}: exit code ${code}\n${out}${err}`];
  if (snippet.prints !== undefined && snippet.prints !== out)
    return [`${place} prints:\n${out}${err}`];
  return [];
}

describe(`${runnable.length} ts blocks of the documentation are run here, ${elsewhere} otherwise, ${others} not`, () => {
  let runs: readonly SnippetRun[] = [];
  beforeAll(async () => {
    runs = await runSnippets(root, join(root, 'temp/snippet-runs'), [
      ...runnable,
      ...planted('console.log(1);', '2'),
    ]);
  });

  it('run to their end, and print what their page says', () => {
    const own = runs.filter(({ snippet }) => snippet.file !== 'planted/page.md');
    expect(own.length).toBe(runnable.length);
    expect(own.flatMap(faultOf)).toEqual([]);
  });

  it('are found out if they print something else', () => {
    const wrong = runs.filter(({ snippet }) => snippet.file === 'planted/page.md');
    expect(wrong.flatMap(faultOf)).toEqual(['planted/page.md:1 prints:\n1\n']);
  });

  it('of the README and of the tutorial are all run', () => {
    const shown = snippets.filter(({ file }) => /^README|^docs\/tutorial\//.test(file));
    expect(shown.filter((snippet) => whyNotRun(snippet) !== undefined)).toEqual([]);
  });
});

const testFiles = testFilesAmong(snippets);

describe(`${testFiles.length} ts blocks of the documentation are test files`, () => {
  it('pass in vitest', async () => {
    const { code, out } = await runTestFiles(root, join(root, 'temp/snippet-tests'), testFiles);
    expect(out).toMatch(new RegExp(`Test Files +${testFiles.length} passed`));
    expect(code, out).toBe(0);
  });
});

describePostgres(
  `${overServer.length} ts blocks of the documentation, over PostgreSQL`,
  (postgres) => {
    it('run to their end', async () => {
      const placed = overServer.map((snippet) => ({
        ...snippet,
        code: snippet.code.replaceAll(/postgres:\/\/[^']*/g, postgres.address()),
      }));
      const runs = await runSnippets(root, join(root, 'temp/snippet-runs-postgres'), placed);
      expect(runs.length).toBe(3);
      expect(runs.flatMap(faultOf)).toEqual([]);
      const [howTo] = runs.filter(({ snippet }) => snippet.file === 'docs/how-to/postgresql.md');
      expect(howTo?.out).toContain("run_id: 'ticket-20', status: 'approved'");
    });
  },
);
