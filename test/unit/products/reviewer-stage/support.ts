import type { Logger } from '@/ports/logger.js';
import type { CompletedWork } from '@/products/reviewer-stage/completed-work.js';
import type { Dimension, DimensionResult } from '@/products/reviewer-stage/dimension.js';
import { ReviewerStage } from '@/products/reviewer-stage/reviewer-stage.js';
import type { ReviewerStageOptions } from '@/products/reviewer-stage/stage-options.js';

export const work: CompletedWork = {
  sessionId: 'abc123',
  request: 'Add email validation',
  plan: ['write a validator', 'use it in the form', 'test it'],
  executionResults: [{ step: 'write a validator', status: 'succeeded' }],
  verificationResults: [{ name: 'npm test', passed: true, details: '12 passed' }],
  changedFiles: [
    {
      path: 'src/validators/EmailValidator.ts',
      status: 'new',
      added: 45,
      removed: 0,
      content: 'export const isEmail = (text) => /@/.test(text);',
    },
    {
      path: 'src/forms/ContactForm.ts',
      status: 'modified',
      added: 2,
      removed: 1,
      content: 'import { isEmail }',
    },
  ],
  notes: ['Consider adding phone validation in future'],
};

type Answer =
  | DimensionResult
  | ((work: CompletedWork) => DimensionResult | Promise<DimensionResult>);

/** A dimension that says what a test prepared. */
export function saying(id: string, answer: Answer, more: Partial<Dimension> = {}): Dimension {
  const words = id.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return {
    id,
    name: words.join(' '),
    assess: async (given) => (typeof answer === 'function' ? answer(given) : answer),
    ...more,
  };
}

export const good: DimensionResult = {
  level: 'good',
  explanation: 'Well-structured, clear naming',
  issues: [],
};
export const needsWork: DimensionResult = {
  level: 'needs_work',
  explanation: 'null is not handled',
  issues: [
    {
      message: 'Missing error handling for null input',
      location: { file: 'src/validators/EmailValidator.ts', line: 3 },
      suggestion: 'Return false for null',
    },
    'No documentation on public methods',
  ],
};

export const five = [
  'intent_alignment',
  'code_quality',
  'completeness',
  'consistency',
  'safety',
] as const;

/** Five dimensions; those that are not named are good. */
export function dimensions(
  answers: Partial<Record<(typeof five)[number], Answer>> = {},
): Dimension[] {
  return five.map((id) => saying(id, answers[id] ?? good));
}

/** A logger that keeps what it is told. */
export function keeping(): Logger & { readonly fields: Record<string, unknown>[] } {
  const fields: Record<string, unknown>[] = [];
  const keep = (given: object): void => void fields.push(given as Record<string, unknown>);
  return { fields, debug: keep, info: keep, warn: keep, error: keep };
}

/** A stage whose dimensions find everything good, unless it is told otherwise. */
export const stageOf = (options: Partial<ReviewerStageOptions> = {}) =>
  new ReviewerStage({ dimensions: dimensions(), ...options });

/** What such a stage says of the work. */
export const reviewed = (options: Partial<ReviewerStageOptions> = {}, given = work) =>
  stageOf(options).review(given);
