import { plainStart } from './obligation.js';

/** Matches the number and the verb of a task that builds nothing: "Task 6: Verify the setup". */
const checking =
  /^(?:task|step|subtask|phase) [\w.]+\s?(?:[:.)]|[-–—])\s*(?:final |manual )?(?:verify|validate|confirm|verification|validation|testing and|checks?)\b/i;

/** Returns whether the name of a numbered task says that it only checks what others build. */
export function isCheckingTask(name: string): boolean {
  return checking.test(name);
}

/** Returns whether a step of such a task only looks at the result: "Confirm the tests pass". */
export function isCheck(step: string): boolean {
  return /^(?:run|execute|verify|confirm|validate|check|test|load|open|navigate|inspect|review)\s/i.test(
    plainStart(step),
  );
}
