import { parseInput } from '../core/parse-input.js';
import { type CompletedWork, CompletedWorkSchema } from './completed-work.js';

/** Work that may be reviewed. @throws ReviewLoopError `task_invalid` */
export function checkedWork(work: CompletedWork): CompletedWork {
  return parseInput(CompletedWorkSchema, work, { error: 'task_invalid', what: 'completed work' });
}
