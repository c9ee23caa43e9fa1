import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { ArtifactCriterion } from '../../../blocks/criteria/artifact-criterion.js';
import { definePipeline } from '../../../blocks/pipeline/define-pipeline.js';
import type { Pipeline } from '../../../blocks/pipeline/pipeline-options.js';
import { evidenceFinder } from '../../../blocks/requirements/evidence.js';
import { requirementCoverage } from '../../../blocks/reviewers/requirement-coverage.js';
import type { RequirementCoverage } from '../../../core/coverage.js';
import type { RequirementDecider } from '../../../core/criterion.js';
import type { Gap } from '../../../core/gap.js';
import { redactJson } from '../../../core/redact/redact-json.js';
import { type Paint, paintFor } from '../../../node/terminal/colours.js';
import { oneLine, sanitise, terminalSafeJson } from '../../../node/terminal/sanitise.js';
import { tableOf } from '../../../node/terminal/table.js';
import { systemClock } from '../../../ports/clock.js';
import {
  type AgentOutput,
  type AgentRequest,
  agentRequest,
} from '../../../products/self-review/agent.js';
import type { Io } from '../../cli-kit/io.js';
import { outcomeExitCode } from '../../cli-kit/outcome-exit-code.js';
import { withAdvice } from '../../cli-kit/show/error-text.js';
import { shortIdOf } from '../../cli-kit/show/next-command.js';
import { criterionOf, gapLines } from '../../cli-kit/show/open-lines.js';
import type { StoreHandle } from '../../cli-kit/store-handle.js';
import { placeOf } from '../../reports/gap-order.js';
import { reportRun } from '../../reports/report-run.js';
import { saveRun } from '../../reports/run-folder.js';
import { recordRun } from '../../reports/run-recorder.js';
import type { ReviewReport, RunReport } from '../../reports/run-report.js';
import { summaryMarkdown } from '../../reports/summary-markdown.js';
import { thresholdBars } from '../../reports/verdict-counts.js';
import { headline } from '../../reports/verdict-words.js';

export interface DemoOptions {
  readonly folder: string;
  readonly store: StoreHandle;
  readonly format: 'text' | 'json';
}

export async function runDemo(io: Io, { folder, store, format }: DemoOptions): Promise<number> {
  const task = await readFile(join(folder, 'task.md'), 'utf8');
  const content = await readFile(join(folder, demoPage), 'utf8');
  const page = { artifacts: [{ type: 'mockup', path: demoPage, content }] };
  await store.prepare();
  const { htmlCriteria } = await import('../../../blocks/criteria/html/html-criteria.js');
  const checks = htmlCriteria({ language: 'en' });
  const pipeline = demoPipeline(page, checks, store);
  const recorder = recordRun(pipeline, {
    reviewers: [...checks, { id: 'requirements', tier: 'code' }],
  });
  const fixers = new Set<string>();
  pipeline.on('fix-apply', ({ gap }) => void fixers.add(gap));
  const startedAt = systemClock.now();
  const outcome = await pipeline.run(agentRequest({ id: 'task.md', description: task }), {
    signal: io.signal,
  });
  const exitCode = outcomeExitCode(outcome, undefined);
  const report = redactJson(
    reportRun(withAdvice(outcome), {
      at: new Date(startedAt).toISOString(),
      durationMs: Math.max(0, systemClock.now() - startedAt),
      task: { source: 'task.md', text: task },
      criteria: { chosen: ['html', 'requirements'], reason: 'the demo', names: namesOf(checks) },
      files: [{ path: demoPage, type: 'mockup', bytes: Buffer.byteLength(content) }],
      notReviewed: [],
      exitCode,
      changed: [demoPage],
      written: [],
      fixers,
      judges: recorder.judges(),
      pipeline: 'demo',
      bars: thresholdBars(),
    }),
  );
  await saveRun(store.files, {
    report,
    summary: summaryMarkdown(report, sanitise),
    output: outcome.output,
    versions: recorder.versions(),
  });
  const { writeHtml } = await import('../../cli-kit/reports/stored-run.js');
  const place = join(store.local(io.cwd), 'runs', report.runId);
  const file = join(place, 'report.html');
  await writeHtml(file, [report], { store, cwd: io.cwd });
  await io.out(
    format === 'json'
      ? `${terminalSafeJson(report)}\n`
      : demoText(report, {
          columns: io.outColumns,
          paint: paintFor(io.colours),
          page: relative(io.cwd, file),
          next: `reviewloop runs ${await shortIdOf(store.files, report.runId)}${store.words(io.cwd)}`,
        }),
  );
  return exitCode === 1 || exitCode === 130 ? exitCode : 0;
}

function demoPipeline(
  page: AgentOutput,
  checks: readonly ArtifactCriterion[],
  { runs, audit }: StoreHandle,
): Pipeline<AgentRequest, AgentOutput> {
  return definePipeline<AgentRequest, AgentOutput>({
    name: 'demo',
    produce: async () => page,
    address: scriptedProducer,
    reviewers: [
      ...checks,
      requirementCoverage<AgentOutput, AgentRequest>({
        extractRequirements: async ({ context }) => listedIn(context.task.description ?? ''),
        deciders: [demoChecks],
        words: 'hint',
        checkRequirementCovered: mentionsOf,
        judge: scriptedAnswer,
        version: 'demo/1',
      }),
    ],
    store: runs,
    audit,
  });
}

function namesOf(checks: readonly ArtifactCriterion[]): Record<string, string> {
  return Object.fromEntries(checks.map(({ id, name }) => [id, name]));
}

function listedIn(task: string): string[] {
  return task.split('\n').flatMap((line) => (line.startsWith('- ') ? [line.slice(2)] : []));
}

async function mentionsOf(
  requirement: string,
  { artifacts }: AgentOutput,
): Promise<RequirementCoverage> {
  const find = await evidenceFinder(
    artifacts.map(({ path, content = '' }) => ({ file: path, text: content })),
  );
  const { confidence, evidence } = find(requirement);
  return {
    requirement,
    source: 'explicit',
    covered: false,
    state: 'unsure',
    coverageDetails: '',
    confidence,
    evidence: [...evidence],
  };
}

const scriptedPerson = 'Ann';

const demoPage = 'site/index.html';

const edits: readonly {
  readonly about: RegExp;
  readonly from: string;
  readonly to: string;
}[] = [
  { about: /^button-name$/, from: '<button></button>', to: '<button>Search</button>' },
  {
    about: /three offers/,
    from: '    </ul>',
    to: '      <li><img src="lisbon.jpg" alt="Lisbon from above"><a href="/lisbon">Lisbon, four nights</a></li>\n    </ul>',
  },
];

/** Repairs as a model or an agent would. */
async function scriptedProducer(output: AgentOutput, gaps: readonly Gap[]): Promise<AgentOutput> {
  const wanted = edits.filter(({ about }) =>
    gaps.some((gap) => about.test(gap.affectedRequirement ?? gap.criterionId ?? '')),
  );
  return {
    ...output,
    artifacts: output.artifacts.map((artifact) => ({
      ...artifact,
      content: wanted.reduce((text, { from, to }) => text.replace(from, to), contentOf(artifact)),
    })),
  };
}

const demoChecks: RequirementDecider<AgentOutput> = {
  id: 'elements',
  version: '1',
  decides: (requirement, { artifacts }) => {
    const page = artifacts.map(contentOf).join('\n');
    const lines = page.split('\n');
    const found = (text: string): number => lines.findIndex((line) => line.includes(text));
    const evidence = (text: string) => ({
      evidence: [{ file: demoPage, line: found(text) + 1, quote: text, share: 1 }],
    });
    if (/search field/.test(requirement)) {
      const satisfied = found('type="search"') >= 0;
      const explanation = satisfied ? 'it has one' : 'it has none';
      return { satisfied, explanation, ...(satisfied && evidence('type="search"')) };
    }
    if (!/three offers/.test(requirement)) return undefined;
    const offers = lines.filter((line) => line.includes('<li><img ')).length;
    return {
      satisfied: offers === 3,
      explanation: `it shows ${offers}`,
      ...evidence('<ul>'),
    };
  },
};

/** The person looks at a page only when nothing else is wrong with it. */
async function scriptedAnswer(
  open: RequirementCoverage,
  { output }: { readonly output: AgentOutput },
): Promise<RequirementCoverage> {
  const isRepaired = edits.every(({ to }) =>
    output.artifacts.some((artifact) => contentOf(artifact).includes(to.trim())),
  );
  if (!isRepaired) return open;
  return {
    ...open,
    covered: true,
    state: 'covered',
    confidence: 1,
    coverageDetails: 'compared with the list of the week',
    decidedBy: 'person',
  };
}

function contentOf({ content = '' }: AgentOutput['artifacts'][number]): string {
  return content;
}

interface DemoScreen {
  readonly columns: number | undefined;
  readonly paint: Paint;
  readonly page: string;
  readonly next: string;
}

function demoText(report: RunReport, screen: DemoScreen): string {
  const [first] = report.reviews;
  const { paint, columns, page, next } = screen;
  const blocks = [
    ['The demo reviews one page against three requirements. It asks no model and no network.'],
    first === undefined ? [] : firstLines(report, first, screen),
    titled('Repaired by rule:', repairedBy('fixer', report, columns)),
    titled(
      'Repaired by the producer, which is scripted here and a model or an agent in your project:',
      repairedBy('revision', report, columns),
    ),
    titled(
      'Decided by a person, whose answer is scripted here:',
      report.coverage
        .filter(({ decidedBy }) => decidedBy === 'person')
        .map(({ id, requirement, coverageDetails }) =>
          oneLine(`${id} ${requirement}: yes, says ${scriptedPerson}, ${coverageDetails}`),
        ),
    ),
    [
      `review ${report.reviews.length}: ${paint(report.approved ? 'good' : 'bad', oneLine(headline(report)))}`,
      `page: ${oneLine(page)}`,
      `next: ${oneLine(next)}`,
    ],
  ];
  return `${blocks
    .filter((block) => block.length > 0)
    .map((block) => block.join('\n'))
    .join('\n\n')}\n`;
}

function titled(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`)];
}

function firstLines(report: RunReport, review: ReviewReport, screen: DemoScreen): string[] {
  const undecided = review.assessments.filter(({ verdict }) => verdict === 'undecided');
  const { approved, ...then } = report;
  const shown = { ...then, approved: false, gaps: review.gaps, undecided, code: 'iterations' };
  const decision = oneLine(headline({ ...shown, status: 'exhausted', reviews: [review] }));
  return [
    `review ${review.iteration}: ${screen.paint('bad', decision)}`,
    ...gapLines(shown, screen).flatMap((lines) => lines.slice(0, 1)),
    ...undecided.map(({ id, question }) => oneLine(`undecided: ${id} ${question}`)),
  ];
}

function repairedBy(
  by: 'fixer' | 'revision',
  { fixed }: RunReport,
  columns: number | undefined,
): string[] {
  const rows = fixed
    .filter((one) => one.by === by)
    .map(({ gap }) => [placeOf(gap) || 'task', criterionOf(gap), gap.suggestedFix]);
  return tableOf(rows, { columns: columns && columns - 2 });
}
