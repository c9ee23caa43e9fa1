/**
 * The final gate of a coding agent: your own dimension, a planner that gets the feedback, and a
 * stored summary.
 */

import { sanitise } from 'reviewloop/inbox';
import type { Dimension } from 'reviewloop/reviewer-stage';
import {
  type CompletedWork,
  cycleLines,
  ReviewerStage,
  type StageSummary,
} from 'reviewloop/reviewer-stage';

// Your own dimension: any check that returns a level. `ChecklistDimension` asks a model.
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
    const documented = changedFiles.length - bare.length;
    return {
      level: bare.length > 0 ? 'needs_work' : 'excellent',
      explanation: `${documented} of ${changedFiles.length} files are documented`,
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

const saved: StageSummary[] = [];
const stage = new ReviewerStage({
  // with `defaultDimensions()` and a `provider`, a model judges the five default dimensions
  dimensions: [documentation],
  maxCycles: 2,
  replan: async (feedback, { work: before, cycle }) => {
    console.log(cycleLines({ feedback, cycles: cycle }, sanitise).join('\n'));
    const changedFiles = before.changedFiles.map((file) => ({
      ...file,
      content: `/** Whether a text is an address. */\n${file.content}`,
    }));
    const suggestions = feedback.issues.map(({ suggestion }) => suggestion).join(', ');
    return {
      ...before,
      plan: `${String(before.plan)}; then: ${suggestions}`,
      changedFiles,
    };
  },
  saveSummary: async (summary) => void saved.push(summary),
});

const { decision, cycles, exitCode, run } = await stage.review(work);
console.log(`${decision} after ${cycles} cycle, exit code ${exitCode}`);
console.log(`plan: ${String(run.output?.plan)}`);
for (const { goal, outcome, levels } of saved)
  console.log(`saved: ${goal}: ${outcome}, documentation ${levels['documentation']}`);
