import { expect, it } from 'vitest';
import { choiceLine, choicesOf } from '../../../src/people/choices.js';
import { taskQuestionTexts } from '../../../src/task-review/task-question-texts.js';
import { major, minor, project, reader, reviewOf, task } from './support.js';

it('the gate names the task, lists the issues with their places and the verdict, and has the four keys [P4-32, P4-33, P4-34]', async () => {
  const provider = reader(() => ({ verdict: 'failed', reason: 'bad', issues: [major, minor] }));
  const { run } = await reviewOf(project(), ['exports.value = 1;\n'], {
    provider,
    hitlReview: true,
  }).review.run(task);
  const texts = taskQuestionTexts(task, run.reviews.at(-1), run.output);
  expect(texts.title).toBe('📋 Review: TASK-003 — Add API endpoints');
  expect(texts.assessment).toBe(
    '2 issues found:\n  MAJOR: No error handling in API call (api.js:1)\n  MINOR: Unused import (utils.js:1)\n\nVerdict: REVIEW_FAILED',
  );
  const [request] = run.status === 'suspended' ? run.requests : [];
  expect(request && choiceLine(choicesOf(request, {}))).toMatch(
    /^\[a\]pprove {2}\[r\]eject {2}\[f\]ix-and-retry {2}\[s\]kip/,
  );
});
