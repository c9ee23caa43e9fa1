import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../architecture/repository.js';
import { bundle } from '../support/bundle.js';

/** What the tests of the project below judge with. */
const library = `
export { criterion, definePipeline, llmCriterion } from 'reviewloop';
export { hang, scriptedJudge, scriptedProvider } from 'reviewloop/testing';
`;

interface Bundles {
  readonly matchers: string;
  readonly judges: string;
}

/** A project of a user: judges that pass, fail, and never answer. */
const tests = ({ matchers, judges }: Bundles) => `
import ${JSON.stringify(matchers)};
import { appendFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  criterion, definePipeline, hang, llmCriterion, scriptedJudge, scriptedProvider,
} from ${JSON.stringify(judges)};

const titled = criterion('titled', () => ({
  passed: false,
  score: 0.5,
  details: 'a page has no title',
  findings: [{ description: 'no title', file: 'a.html', line: 3, suggestedFix: 'add one' }],
}));
const kind = llmCriterion({
  id: 'kind',
  question: 'Is it kind?',
  provider: scriptedJudge({ kind: 'yes' }),
});
const silent = scriptedProvider(({ signal }) => {
  appendFileSync('calls.txt', 'asked\\n');
  signal.addEventListener('abort', () => appendFileSync('calls.txt', 'aborted\\n'));
  return hang;
});
const slow = llmCriterion({ id: 'slow', question: 'Is it slow?', provider: silent });
const page = definePipeline({
  produce: async () => '# Tea',
  criteria: { short: () => true, titled: { check: () => 'no title', description: 'Add one.' } },
});
const good = definePipeline({ produce: async () => '# Tea', criteria: { short: () => true } });
const judged = definePipeline({ produce: async () => '# Tea', reviewers: [slow], retries: 0 });

test('a check fails', async () => {
  await expect('x').toPass(titled);
});
test('a model passes', async () => {
  await expect('x').toPass(kind);
});
test('a judge is too slow', async () => {
  await expect('x').toPass(slow);
}, 1500);
test('a limit is too long', async () => {
  await expect('x').toPass(slow, { timeoutMs: 60_000 });
});
test('a run is refused', async ({ signal }) => {
  const outcome = await page.run('tea', { signal });
  await expect(outcome).toBeApproved({ pipeline: 'page', report: 'reports/page.html' });
});
test('a run is approved', async ({ signal }) => {
  const outcome = await good.run('tea', { signal });
  await expect(outcome).toBeApproved({ pipeline: 'good', report: 'reports/good.html' });
});
test('a run is too slow', ({ signal }) => judged.run('tea', { signal }), 1500);
`;

const base = join(root, 'temp', 'vitest-reporters');
mkdirSync(base, { recursive: true });
const own = mkdtempSync(join(base, 'test-'));
afterAll(() => rmSync(own, { recursive: true, force: true }));

/** What a process of vitest did, in a project of its own. */
interface Run {
  readonly code: number | null;
  readonly out: string;
  readonly file: (path: string) => string;
}

let bundles: Bundles;
const runs = new Map<string, Run>();

/** Runs vitest as a user would, without the variables of the vitest that runs this test. */
async function runVitest(name: string, ...argv: string[]): Promise<Run> {
  const cwd = join(own, name);
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'page.test.js'), tests(bundles));
  // without one, vitest takes the configuration of this repository
  writeFileSync(join(cwd, 'vitest.config.js'), 'export default {};\n');
  const { PATH, HOME, TMPDIR } = process.env;
  const child = spawn(
    process.execPath,
    [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--root', cwd, ...argv],
    { cwd, env: { PATH, HOME, TMPDIR, NO_COLOR: '1' }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (out += text));
  const code = await new Promise<number | null>((resolve) => void child.on('close', resolve));
  return { code, out, file: (path) => readFileSync(join(cwd, path), 'utf8') };
}

beforeAll(async () => {
  bundles = {
    matchers: await bundle({ file: 'src/testing/vitest.ts' }, 'vitest-matchers'),
    judges: await bundle({ code: library }, 'vitest-judges'),
  };
  const written = ['--outputFile.junit=junit.xml', '--outputFile.json=results.json'];
  const asked = {
    default: ['--reporter=default', '--reporter=junit', '--reporter=json', ...written],
    verbose: ['--reporter=verbose'],
    'github-actions': ['--reporter=github-actions'],
    tap: ['--reporter=tap'],
  };
  const made = Object.entries(asked).map(async ([name, argv]) =>
    runs.set(name, await runVitest(name, ...argv)),
  );
  await Promise.all(made);
});

function runOf(name: string): Run {
  const found = runs.get(name);
  if (found === undefined) throw new Error(`vitest did not run with ${name}`);
  return found;
}

const gapLine = '- [major] a.html:3 no title | fix: add one';
const slowLine = /slow had not answered after \d+ ms and was aborted\. .*set testTimeout in the/;
const limitLine = 'the test ends after 5000 ms, before `timeoutMs` of 60000 ms: pass a timeout';
const refusedLine = /page: exhausted \| score [\d.]+ \| .* \| 1 gap \| report reports\/page\.html/;
const approvedLine = /good: approved \| score 1 \| .* \| report reports\/good\.html/;

describe('the matchers in a process of vitest', () => {
  it('abort a judge when its test ends, and pay for no other call', () => {
    for (const [name, { code, file }] of runs) {
      expect(code, name).toBe(1);
      const calls = file('calls.txt').trim().split('\n');
      const countOf = (what: string) => calls.filter((line) => line === what).length;
      // the judge of the criterion and that of the run, each once; a slow machine may reach only one in time
      expect([1, 2], name).toContain(countOf('asked'));
      expect(countOf('aborted'), name).toBe(countOf('asked'));
    }
  });

  it('write the reports that were asked for', () => {
    for (const { file } of runs.values()) {
      expect(file('reports/page.html')).toContain('no title');
      expect(file('reports/good.html')).toContain('good');
    }
    expect(existsSync(join(own, 'default/reports'))).toBe(true);
  });

  it('show verdict, gaps and report where the default reporter prints failures', () => {
    const { out } = runOf('default');
    expect(out).toContain('expected the output to pass titled; it scored 0.5: a page has no title');
    expect(out).toContain(gapLine);
    expect(out).toMatch(slowLine);
    expect(out).toContain(limitLine);
    expect(out).toMatch(/Test timed out in 1500ms/);
    expect(out).toMatch(/expected the run to be approved; it is exhausted: .*\n.*no title/);
    expect(out).toContain('report: reports/page.html');
    expect(out).toMatch(/page\.test\.js:\d+:\d+ reviewloop\n.*page: exhausted/);
    expect(out).toMatch(/5 failed \| 2 passed/);
  });

  it('show in the verbose reporter also what passed', () => {
    const { out } = runOf('verbose');
    expect(out).toContain('kind: pass | score 1 | scripted');
    expect(out).toMatch(approvedLine);
    expect(out).toMatch(refusedLine);
    expect(out).toContain(gapLine);
    expect(out).toMatch(slowLine);
  });

  it('are properties and failures of JUnit', () => {
    const text = runOf('default').file('junit.xml');
    const value = /<property name="reviewloop" value="([^"]*)">/g;
    const values = [...text.matchAll(value)].map(([, found]) => found);
    expect(values).toEqual([
      'kind: pass | score 1 | scripted',
      expect.stringMatching(refusedLine),
      expect.stringMatching(approvedLine),
    ]);
    expect(text).toMatch(
      /<failure message="expected the output to pass titled[^"]*\[major\] a\.html:3/,
    );
    expect(text).toMatch(slowLine);
  });

  it('are meta data of JSON', () => {
    const results = JSON.parse(runOf('default').file('results.json')) as {
      testResults: { assertionResults: { title: string; meta: { reviewloop?: unknown[] } }[] }[];
    };
    const metaOf = (title: string): unknown =>
      results.testResults[0]?.assertionResults.find((test) => test.title === title)?.meta;
    expect(metaOf('a check fails')).toEqual({
      reviewloop: [
        {
          matcher: 'toPass',
          id: 'titled',
          verdict: 'fail',
          score: 0.5,
          text: 'a page has no title',
          gaps: [
            {
              severity: 'major',
              description: 'no title',
              file: 'a.html',
              line: 3,
              fix: 'add one',
            },
          ],
        },
      ],
    });
    expect(metaOf('a judge is too slow')).toMatchObject({
      reviewloop: [{ id: 'slow', verdict: 'errored', text: expect.stringMatching(slowLine) }],
    });
    expect(metaOf('a run is approved')).toMatchObject({
      reviewloop: [{ verdict: 'approved', gaps: [], report: 'reports/good.html' }],
    });
  });

  it('annotate the lines of the test on GitHub', () => {
    const { out } = runOf('github-actions');
    const notices = out.split('\n').filter((line) => line.startsWith('::notice'));
    expect(notices).toEqual([
      expect.stringMatching(/page\.test\.js,line=\d+,column=\d+,title=reviewloop::kind: pass/),
      expect.stringMatching(/page\.test\.js,line=\d+,column=\d+,title=reviewloop::page: exhausted/),
      expect.stringMatching(/page\.test\.js,line=\d+,column=\d+,title=reviewloop::good: approved/),
    ]);
    const errors = out.split('\n').filter((line) => line.startsWith('::error'));
    expect(errors).toHaveLength(5);
    expect(errors[0]).toContain(`%0A  ${gapLine}`);
    expect(errors.find((line) => line.includes('too slow'))).toMatch(slowLine);
  });

  it('are comments of TAP', () => {
    const { out } = runOf('tap');
    expect(out).toContain('# reviewloop: kind: pass | score 1 | scripted');
    expect(out).toMatch(approvedLine);
  });
});
