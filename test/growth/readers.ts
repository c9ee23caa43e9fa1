import { codeCriteria } from '@/blocks/criteria/code/code-criteria.js';
import { cssCriteria } from '@/blocks/criteria/css/css-criteria.js';
import { askedBy } from '@/blocks/criteria/deciders/asked.js';
import { honestWork } from '@/blocks/criteria/diff/honest-work.js';
import { htmlCriteria } from '@/blocks/criteria/html/html-criteria.js';
import { planCriteria } from '@/blocks/criteria/plan/plan-criteria.js';
import { textCriteria } from '@/blocks/criteria/text/text-criteria.js';
import { parseLine } from '@/blocks/lessons/lesson-book.js';
import { wordsIn } from '@/blocks/lessons/lesson-text.js';
import { readAnswer, readBoth } from '@/blocks/models/answer/read-answer.js';
import { repairJson } from '@/blocks/models/answer/repair-json.js';
import { readFences } from '@/blocks/models/prompt/fence.js';
import { evidenceFinder } from '@/blocks/requirements/evidence.js';
import { explicitRequirements } from '@/blocks/requirements/explicit-requirements.js';
import { matchRequirement } from '@/blocks/requirements/match.js';
import { plainText } from '@/blocks/requirements/plain-text.js';
import { parseRequirementsFile } from '@/blocks/requirements/requirements-file.js';
import { wholeTask } from '@/blocks/requirements/task-text.js';
import { parseJUnit } from '@/blocks/reviewers/command/parse-junit.js';
import { parseEsLint, parseLines } from '@/blocks/reviewers/command/parse-reports.js';
import { parseSarif } from '@/blocks/reviewers/command/parse-sarif.js';
import { parseTap } from '@/blocks/reviewers/command/parse-tap.js';
import type { Artifacts } from '@/core/artifact.js';
import type { DiffFile } from '@/core/diff/diff-source.js';
import { hasVisibleChange, splitDiff } from '@/core/diff/diff-text.js';
import { fitDiff } from '@/core/diff/fit-diff.js';
import { parseDiff } from '@/core/diff/parse-diff.js';
import { isReviewError } from '@/core/errors.js';
import { hideSecrets } from '@/core/redact/hide-secrets.js';
import { redactSecretsAsync } from '@/core/redact/redact-with-secretlint.js';
import { findSecrets, redactSecrets } from '@/core/redact/secrets.js';
import type { Reviewer } from '@/core/reviewer.js';
import { placeOfQuote } from '@/core/text/quote.js';
import { nestsTooDeeply } from '@/core/text/schema-problems.js';
import { readEvent } from '@/faces/hooks/agent-formats.js';
import { openQuestions, taskTitle } from '@/faces/reports/run-words.js';
import { changedFiles } from '@/node/git/changed-files.js';
import { oneLine, sanitise } from '@/node/terminal/sanitise.js';
import { decodeChecklist } from '@/ports/checklist/state-format.js';
import { readLabels } from '@/products/calibration/labels.js';
import { changesOf } from '@/products/checklist-gate/plan/diff-changes.js';
import { readPlan } from '@/products/checklist-gate/plan/read-plan.js';
import { type CompletedWork, parseWork } from '@/products/reviewer-stage/completed-work.js';
import { safetyFindings } from '@/products/reviewer-stage/dimensions/safety-findings.js';
import { parseTasks, sortTasks } from '@/products/task-review/parse-tasks.js';
import { parseVerdicts } from '@/products/task-review/parse-verdicts.js';
import { issuesIn } from '@/products/task-review/review-answer.js';
import { cleanDiff } from '@/products/task-review/task-change.js';
import { fakeReviewerContext } from '@/testing/index.js';
import { endedReport } from '../support/report-ends.js';
import { decide, filesOf } from '../unit/blocks/criteria/deciders/decide.js';
import { anywhere, code, css, data, diffs, html, markdown, reports } from './pieces.js';

/** A reader of text that others wrote. */
export interface Reader {
  readonly name: string;
  /** How much of each piece is read, in characters: less where a character costs more. */
  readonly length: number;
  readonly pieces: readonly string[];
  readonly read: (text: string) => unknown;
}

/** The readers of one language. */
const readersOf = (
  pieces: readonly string[],
  readers: Readonly<Record<string, readonly [length: number, read: Reader['read']]>>,
): Reader[] =>
  Object.entries(readers).map(([name, [length, read]]) => ({
    name,
    length,
    pieces: [...anywhere, ...pieces],
    read,
  }));

const judged =
  (criteria: readonly Reviewer<unknown, Artifacts>[], path: string) =>
  async (content: string): Promise<void> => {
    const output = { artifacts: [{ type: 'file', path, content }] };
    for (const one of criteria)
      await one.review({ task: 't', output, iteration: 1 }, fakeReviewerContext());
  };

const decided =
  (path: string, requirements: readonly string[]) =>
  async (text: string): Promise<void> => {
    for (const one of requirements) await decide(one, filesOf({ [path]: text }));
  };

/** A text that is refused by name is read. */
async function settled(work: Promise<unknown> | (() => unknown)): Promise<void> {
  try {
    await (typeof work === 'function' ? work() : work);
  } catch (error) {
    if (!isReviewError(error)) throw error;
  }
}

async function readDiff(text: string): Promise<void> {
  const files = await parseDiff(text);
  hasVisibleChange(files);
  fitDiff({ files, text }, { maxBytes: 1000 });
  splitDiff({ files }, { maxBytes: 5000 });
  cleanDiff({ files, text });
}

const workWith = (file: CompletedWork['changedFiles'][number]): CompletedWork =>
  parseWork({
    ...{ sessionId: 'a', request: 'b', executionResults: [], verificationResults: [] },
    changedFiles: [file],
  });

/** Judges a change that adds, removes and keeps the same text. */
const changing =
  (path: string) =>
  async (text: string): Promise<void> => {
    const lines = text.split('\n').flatMap((line) => [`-${line}`, `+${line} `, ` ${line}`]);
    const hunk = { header: '@@', oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines };
    const [file] = await parseDiff(newFile('a'));
    const changed = { ...file, path, status: 'modified', hunks: [hunk] } as DiffFile;
    await honestWork().validate({ files: [changed] }, undefined, { previous: [] });
  };

function newFile(text: string): string {
  const lines = text.split('\n');
  return [
    ...['diff --git a/a.ts b/a.ts', 'new file mode 100644', '--- /dev/null', '+++ b/a.ts'],
    ...[`@@ -0,0 +1,${lines.length} @@`, ...lines.map((line) => `+${line}`), ''],
  ].join('\n');
}

export const readers: readonly Reader[] = [
  ...readersOf(markdown, {
    requirements: [3000, explicitRequirements],
    'the whole task': [100_000, wholeTask],
    'a task in a report': [
      100_000,
      (text) => {
        const task = { source: 'TASK.md', text };
        return [taskTitle({ task }), openQuestions({ ...endedReport, task })];
      },
    ],
    'a line of a task': [40_000, plainText],
    'a sentence': [40_000, askedBy],
    'a match': [20_000, (text) => matchRequirement('the password link', [{ text }])],
    evidence: [10_000, async (text) => (await evidenceFinder([{ text }]))('a tea b')],
    'a list of tasks': [
      20_000,
      (text) => settled(async () => sortTasks(await parseTasks(`## T-0: a\n${text}`))),
    ],
    'a plan of milestones': [20_000, (text) => readPlan(`# a\n## M1: a\n${text}`)],
    'a plan of tasks': [30_000, judged(planCriteria(), 'plan.md')],
    texts: [6000, judged(textCriteria(), 'a.md')],
    'requirements of texts': [
      3000,
      decided('a.md', [
        'The document must mention "tea"',
        'The text must have at least 5 words',
        'The document must not contain "coffee"',
      ]),
    ],
    verdicts: [60_000, (text) => [parseVerdicts(`REVIEW_PASSED${text}X`), issuesIn(text)]],
    secrets: [
      40_000,
      (text) => [redactSecrets(text), redactSecrets(`"${text}`), findSecrets(text)],
    ],
    secretlint: [30_000, redactSecretsAsync],
    quotes: [40_000, (text) => [placeOfQuote('a b c d', text), placeOfQuote(text, `${text} `)]],
    lessons: [40_000, wordsIn],
    'fences of a prompt': [100_000, readFences],
    'a terminal': [60_000, (text) => [sanitise(text), oneLine(text)]],
  }),
  ...readersOf(html, {
    pages: [3000, judged(htmlCriteria(), 'a.html')],
    'a tag': [3000, (text) => judged(htmlCriteria(), 'a.html')(`<a ${text}`)],
    'a table': [3000, (text) => judged(htmlCriteria(), 'a.html')(`<table>${text}`)],
    'texts of pages': [20_000, judged(textCriteria(), 'a.html')],
    'styles of pages': [20_000, (text) => judged(cssCriteria(), 'a.html')(`<style>${text}`)],
    'requirements of pages': [
      3000,
      decided('index.html', [
        'The page must show "Opening hours"',
        'The page must have a heading "Opening hours"',
        'All images must have alt text',
        'All links must have discernible text',
      ]),
    ],
  }),
  ...readersOf(css, { stylesheets: [3000, judged(cssCriteria(), 'a.css')] }),
  ...readersOf(code, {
    TypeScript: [15_000, judged(codeCriteria(), 'a.ts')],
    Python: [15_000, judged(codeCriteria(), 'a.py')],
    shell: [15_000, judged(codeCriteria(), 'a.sh')],
    PHP: [15_000, judged(codeCriteria(), 'a.php')],
  }),
  ...readersOf(data, {
    'JSON of a model': [40_000, (text) => settled(readAnswer(text, 'a', { repair: true }))],
    'a text in an answer': [40_000, (text) => settled(readAnswer(JSON.stringify({ text }), text))],
    'both forms of an answer': [40_000, (text) => settled(readBoth(text, { a: text }, 'a'))],
    'a repair': [10_000, (text) => repairJson(`{"a":1,${text}`)],
    'JSON files': [20_000, judged(codeCriteria(), 'a.json')],
    'YAML files': [3000, judged(codeCriteria(), 'a.yaml')],
    'front matter': [3000, (text) => judged(textCriteria(), 'a.md')(`---\n${text}\n---\na`)],
    'plans in JSON': [10_000, judged(planCriteria(), 'plan.json')],
    'plans in YAML': [3000, judged(planCriteria(), 'plan.yaml')],
    'files of requirements': [8000, (text) => settled(parseRequirementsFile(text, 'a'))],
    depth: [100_000, nestsTooDeeply],
    checklists: [
      40_000,
      (text) => settled(() => decodeChecklist(text, { phase: 'plan-code', where: 'a' })),
    ],
    labels: [10_000, (text) => settled(() => readLabels(text, 'a'))],
    'kept lessons': [60_000, parseLine],
    'events of agents': [60_000, (text) => readEvent(text)],
  }),
  ...readersOf(diffs, {
    diffs: [100_000, (text) => settled(readDiff(text))],
    'a hunk': [30_000, (text) => readDiff(newFile(text))],
    ...Object.fromEntries(
      ['a.test.ts', 'test_a.py', 'a_test.go', 'ATest.java', 'package.json', 'a.snap'].map(
        (path) => [`a change of ${path}`, [10_000, changing(path)] as const],
      ),
    ),
    'diffs of a plan': [60_000, changesOf],
    'names of changed files': [60_000, (text) => settled(() => changedFiles(text))],
    'a changed file': [
      10_000,
      (content) => safetyFindings(workWith({ path: 'a.ts', status: 'new', content })),
    ],
    'secrets of a file': [40_000, (text) => hideSecrets('a.ts', text.split('\n'))],
  }),
  ...readersOf(reports, {
    SARIF: [200_000, parseSarif],
    ESLint: [200_000, parseEsLint],
    JUnit: [200_000, parseJUnit],
    TAP: [200_000, parseTap],
    'lines of tools': [200_000, parseLines],
  }),
];
