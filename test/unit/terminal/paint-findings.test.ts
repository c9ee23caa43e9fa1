import { expect, it } from 'vitest';
import { paintFor } from '@/terminal/paint.js';
import { paintFindings } from '@/terminal/paint-findings.js';

it('severities and the verdict of findings are coloured, and nothing else [P4-31]', () => {
  const text =
    '2 issues found:\n  MAJOR: No error handling (api.py:45)\n  MINOR: say MAJOR: twice\n\nVerdict: REVIEW_FAILED';
  expect(paintFindings(text, paintFor(false))).toBe(text);
  const painted = paintFindings(text, paintFor(true));
  expect(painted).toContain('\u001b[31mMAJOR\u001b[39m: No error');
  expect(painted).toContain('\u001b[33mMINOR\u001b[39m: say MAJOR: twice');
  expect(painted).not.toContain('Verdict: REVIEW_FAILED');
});
