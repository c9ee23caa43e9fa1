/**
 * A quality gate reviews each step of a workflow until its output passes. This reviewer is
 * scripted; `deepworkCli()` asks Claude Code.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GateSession, QualityGate } from 'reviewloop/quality-gate';
import { scriptedProvider } from 'reviewloop/testing';

const job = {
  name: 'article',
  steps: [
    {
      id: 'draft',
      outputs: { report: 'file' as const },
      reviews: [
        {
          run_each: 'report',
          quality_criteria: { Conclusion: 'Does the report draw a conclusion?' },
        },
      ],
    },
    {
      id: 'publish',
      outputs: { page: 'string' as const },
      reviews: [{ run_each: 'step', quality_criteria: { Title: 'Does the page have a title?' } }],
    },
  ],
};

const provider = scriptedProvider(({ messages }) => {
  const passed = /## Conclusion|# Tea/.test(messages[0]?.content ?? '');
  return JSON.stringify({
    passed,
    feedback: passed ? 'good' : 'it ends without a conclusion',
    criteria_results: [
      { criterion: 'Conclusion', passed },
      { criterion: 'Title', passed },
    ],
  });
});

const root = await mkdtemp(join(tmpdir(), 'gate-'));
try {
  const session = new GateSession({ gate: new QualityGate({ root, provider }), job });
  await writeFile(join(root, 'report.md'), 'Oolong sells best.');
  const first = await session.finishedStep({ stepId: 'draft', outputs: { report: 'report.md' } });
  console.log(`${first.status}: ${first.feedback}`);

  await writeFile(
    join(root, 'report.md'),
    'Oolong sells best.\n\n## Conclusion\n\nBuy more of it.',
  );
  const second = await session.finishedStep({ stepId: 'draft', outputs: { report: 'report.md' } });
  console.log(`${second.status}: ${second.begin_step?.step_id}, ${second.outcome}`);

  const third = await session.finishedStep({
    stepId: 'publish',
    outputs: { page: 'no title' },
    qualityReviewOverrideReason: 'the title comes from the template',
    by: 'ann',
  });
  console.log(`${third.status}: ${third.outcome}`);
  const { override } = (await session.reviewStatus()).steps['publish'] ?? {};
  console.log(`${override?.who}: ${override?.reason}`);
} finally {
  await rm(root, { recursive: true });
}
