import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { root } from '../architecture/repository.js';
import { describeInBrowser } from '../support/browser.js';
import { runBundled } from './example-harness.js';

/** What each example prints, in order. */
const printed: Readonly<Record<string, readonly string[]>> = {
  'asking-agent': [
    'suspended, output: undefined',
    'May the agent publish the price? {"tool":"publish_price","input":{"topic":"tea","price":12}}',
    'approved: The price of tea is 12 EUR.',
    'turns: 1, published: 1',
  ],
  attestation: [
    'approved by reviewers',
    'not that the judges were right',
    'output differs from what was approved',
  ],
  'approval-gate': [
    'suspended',
    'allowed: approve, reject',
    'approved: approved by the reviewers and by ann@example.org',
    'sent: Sorry to hear that. We refund 40 EUR.',
  ],
  'article-loop': [
    'review 1: has-title: no title',
    'review 3: no gaps',
    'approved: overall score 1',
    '# Tea',
  ],
  batch: [
    'titles: a very long topic indeed: exhausted (no_address)',
    'titles: 9 approved, 1 exhausted',
    'at most 4 calls at a time',
  ],
  'checklist-gate': [
    'FIX GUIDANCE',
    'Item plan-structure-003: Acceptance criteria missing for M1',
    'Status: PASS',
    'NEXT: Continue to next phase.',
    'PASS COMPLETE in iteration 2',
  ],
  fixers: [
    'fixed: html-lang',
    'fixed: viewport',
    'fixed: field-name',
    'exhausted (no_address) after 2 reviews',
    'left: login.html:7 major',
    '<label for="user">',
  ],
  'folder-agent': [
    'review 1: 1 gaps, the best so far',
    'address: adds-many; the folder contains README.md, sum.mjs',
    'review 2: 3 gaps, rejected',
    'address: adds-many; the folder contains README.md, sum.mjs',
    'review 3: 0 gaps, the best so far',
    'approved; the folder contains README.md, sum.mjs',
    'reduce',
  ],
  'model-criteria': ['approved tea: oolong, a half-oxidised tea, is best.', 'model asked 3 times'],
  'model-judge': [
    'approved tea: oolong is best. Oolong is a half-oxidised tea.',
    'model asked 3 times',
    'tokens of review: 290',
    'fenced: true',
  ],
  'page-review': [
    'p: Element has insufficient color contrast of 2.32',
    'reaches to 608 px in a window of 320 px',
    'approved after 2 reviews',
  ],
  'quality-gate': [
    'needs_work: it ends without a conclusion',
    'next_step: publish, approved',
    'workflow_complete: accepted',
    'ann: the title comes from the template',
  ],
  'reviewer-stage': [
    '[ORCHESTRATOR] Cycling to Planner for revision',
    '[PLANNER] Re-planning (v2)...',
    'APPROVED after 1 cycle, exit code 0',
    'plan: write a validator; then: Add a JSDoc comment',
    'saved: Add email validation: completed, documentation excellent',
  ],
  'report-formats': [
    'error finished output:2 gap-',
    'SARIF: 1 result',
    'GitLab: 1 issue',
    'JUnit: 2 cases',
  ],
  'sql-agent': [
    'review 1: overall',
    'gaps: bounded',
    'review 2: overall 1.00, gaps: none',
    'approved SELECT name FROM users WHERE active LIMIT 100',
  ],
  'task-review': [
    '📋 Review: TASK-003 — Add a price',
    'MAJOR: Nothing rejects what is not a number (price.mjs:1)',
    'attempt 2, told: Fix requested. Review findings:',
    'Verdict: REVIEW_PASSED',
    'TASK-003: success (review: passed)',
    'approved; committed: TASK-003: Add a price',
    '{"attempt":1,"machine_verdict":"failed","human_decision":"fix","review_status":"rejected"}',
    '{"attempt":2,"machine_verdict":"passed","human_decision":"approve","review_status":"passed"}',
  ],
  'trusted-article': [
    'address: clear: oolong is not explained (confirmed)',
    'approved tea: oolong, a half-oxidised tea, is best.',
    'the judge was asked 4 times, the other 3 times',
    'suspended tea: oolong, a half-oxidised tea, is best.',
    'disputed: polite: "best" is boastful',
  ],
  'webhook-answer': [
    'written once, by the worker',
    '{"error":"request_stale"}',
    '{"status":"approved","output":"Version 1.2 fixes the login."}',
    '{"error":"request_answered"}',
  ],
};

const inBrowser = 'page-review';

describe('the examples', () => {
  it('are all run here', () => {
    const files = readdirSync(`${root}examples`).filter((name) => name.endsWith('.ts'));
    expect(files.sort()).toEqual(
      Object.keys(printed)
        .map((name) => `${name}.ts`)
        .sort(),
    );
  });

  async function promised(name: string, lines: readonly string[]): Promise<void> {
    const { code, out, err } = await runBundled({ file: `examples/${name}.ts` }, name);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    let from = 0;
    for (const line of lines) {
      const at = out.indexOf(line, from);
      expect(at, `${JSON.stringify(line)} in\n${out}`).toBeGreaterThanOrEqual(0);
      from = at + line.length;
    }
  }

  it.each(Object.entries(printed).filter(([name]) => name !== inBrowser))(
    '%s prints what it promises',
    promised,
  );

  describeInBrowser('with a browser', () => {
    it(`${inBrowser} prints what it promises`, () => promised(inBrowser, printed[inBrowser] ?? []));
  });
});
