/** A checklist gate: code verifies the items of a plan, a fixer repairs it, code verifies again. */
import { ChecklistGate, memoryChecklists, planCompleteness } from 'reviewloop/checklist-gate';

const plan = (criteria: string) => ({
  artifacts: [
    {
      type: 'document',
      path: 'plan.md',
      content: `# A plan\n\n## M1: Parser\n${criteria}\nCode intent:\n- add src/parse.ts\n`,
    },
  ],
});

const gate = new ChecklistGate({
  phase: 'plan-structure',
  decompose: planCompleteness(),
  store: memoryChecklists(),
  // in place of a model, which answers what code cannot decide
  verify: () => true,
  fix: async (_work, { text }) => {
    console.log(text);
    return plan('Acceptance criteria:\n- reads every fixture\n');
  },
});

const { status, loop, iteration, text } = await gate.run(plan(''));
console.log(text);
console.log(`${status} ${loop} in iteration ${iteration}`);
