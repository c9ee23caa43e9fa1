import type { LLMProvider } from '../core/llm-provider.js';
import type { Reviewer } from '../core/reviewer.js';
import { llmCriterion } from './llm-criterion.js';

/** Creates the question about the whole: does the output do what the task asks for? */
export function wholeTask<Task, Output>(provider?: LLMProvider): Reviewer<Task, Output> {
  return llmCriterion<Output, Task>({
    id: 'task',
    question: 'Does the output do, completely and correctly, everything that the task asks for?',
    severity: 'major',
    description: 'The output does what the task asks for',
    provider,
  });
}
