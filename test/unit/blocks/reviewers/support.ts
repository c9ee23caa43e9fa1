import { type LLMProvider, llmCriterion } from '@/index.js';
import { checklistJudge } from '../../../support/checklist-judge.js';

/** A judge that finds nothing. */
export const blind = (id = 'blind') => checklistJudge([], { id });

export const clear = (provider?: LLMProvider, more: object = {}) =>
  llmCriterion<string, string>({
    id: 'clear',
    question: 'Does it explain every term?',
    provider,
    ...more,
  });
