import type { AgentOutput } from '../../self-review/agent.js';
import type { ChecklistPhase } from '../checklist.js';
import type { ChecklistModule } from '../checklist-module.js';
import { type PlanCodeOptions, planCode } from './plan-code.js';
import { planCompleteness } from './plan-completeness.js';
import { planDocs } from './plan-docs.js';
import { postImplCode } from './post-impl-code.js';
import { postImplDoc } from './post-impl-doc.js';
import { reconciliation } from './reconciliation.js';

/**
 * The six modules of seed 001 by the phase that they belong to (D001-15): one each, and two for `impl-code`.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const gate = new ChecklistGate({ phase: 'impl-code', decompose: checklistModules('impl-code'), store: memoryChecklists() });
 * ```
 */
export function checklistModules(
  phase: ChecklistPhase,
  options: PlanCodeOptions = {},
): ChecklistModule<AgentOutput>[] {
  switch (phase) {
    case 'plan-structure':
      return [planCompleteness()];
    case 'plan-code':
      return [planCode(options)];
    case 'plan-docs':
      return [planDocs()];
    case 'impl-code':
      return [postImplCode(), reconciliation()];
    case 'impl-docs':
      return [postImplDoc()];
  }
}
