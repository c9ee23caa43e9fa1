/** The final gate of a coding agent: a dimension of your own, a planner that gets the feedback, and a summary that is kept. */
import type { Dimension } from 'reviewloop';
import { sanitise } from 'reviewloop/people';
import {
  type CompletedWork,
  cycleLines,
  ReviewerStage,
  type StageSummary,
} from 'reviewloop/reviewer-stage';

// A dimension of your own: any check, with a level. Here without a model; `ChecklistDimension` asks one.
const documentation: Dimension = {
  id: 'documentation',
  name: 'Documentation',
  assess: async ({ changedFiles }) => {
    const bare = changedFiles.filter(
      ({ content = '' }) => content.includes('export ') && !content.includes('/**'),
    );
    const issues = bare.map(({ path }) => ({
      message: 'an export has no comment',
      location: { file: path, line: 1 },
      suggestion: 'Add a JSDoc comment',
    }));
    return {
      level: bare.length > 0 ? 'needs_work' : 'excellent',
      explanation: `${changedFiles.length - bare.length} of ${changedFiles.length} files are documented`,
      issues,
    };
  },
};

const work: CompletedWork = {
  sessionId: 'abc123',
  request: 'Add email validation',
  plan: 'write a validator',
  executionResults: [{ step: 'write a validator', status: 'succeeded' }],
  verificationResults: [{ name: 'npm test', passed: true }],
  changedFiles: [
    {
      path: 'src/email.ts',
      status: 'new',
      added: 1,
      removed: 0,
      content: "export const isEmail = (text: string) => text.includes('@');",
    },
  ],
};

const kept: StageSummary[] = [];
const stage = new ReviewerStage({
  // with `provider` and `defaultDimensions()` beside it, a model judges the five of the package
  dimensions: [documentation],
  maxCycles: 2,
  replan: async (feedback, { work: before, cycle }) => {
    console.log(cycleLines({ feedback, cycles: cycle }, sanitise).join('\n'));
    const changedFiles = before.changedFiles.map((file) => ({
      ...file,
      content: `/** Whether a text is an address. */\n${file.content}`,
    }));
    return {
      ...before,
      plan: `${String(before.plan)}; then: ${feedback.issues.map(({ suggestion }) => suggestion).join(', ')}`,
      changedFiles,
    };
  },
  saveSummary: async (summary) => void kept.push(summary),
});

const { decision, cycles, exitCode, run } = await stage.review(work);
console.log(`${decision} after ${cycles} cycle, exit code ${exitCode}`);
console.log(`plan: ${String(run.output?.plan)}`);
console.log(
  `kept: ${kept[0]?.goal}: ${kept[0]?.outcome}, documentation ${kept[0]?.levels['documentation']}`,
);
