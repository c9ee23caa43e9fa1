import { describe, expect, it } from 'vitest';
import { requirementsOfTask } from '@/blocks/requirements/rest-of-task.js';

const kinds = async (task: string): Promise<string[]> =>
  (await requirementsOfTask(task)).map(({ kind }) => (kind === 'whole' ? 'whole' : 'read'));

describe('everything that a review of a task must judge', () => {
  it('is the task as a whole, where nothing is read from it [R2-001]', async () => {
    expect(await kinds('Tea and its history')).toEqual(['whole']);
  });

  it('is what was read, where that is all of the task', async () => {
    expect(await kinds('The page must not use tables.')).toEqual(['read']);
    expect(await kinds('# Page\n\nThe page must:\n\n- show prices\n- have a form\n')).toEqual([
      'read',
      'read',
    ]);
  });

  it('is the whole beside what was read, where a sentence is in none of it', async () => {
    const task = 'We sell tea from small farms. The page must show prices.';
    const found = await requirementsOfTask(task);
    expect(found.map(({ kind }) => kind === 'whole')).toEqual([false, true]);
    expect(found[1]).toMatchObject({ strength: 'MUST', text: task });
  });

  it('is what was read of a table, without the cells beside it, and nothing that is struck', async () => {
    const table =
      '| # | Criterion | Done when |\n|---|---|---|\n| 1 | It prints the list | test green |';
    expect(await kinds(`## Acceptance criteria\n\n${table}\n`)).toEqual(['read']);
    expect(await kinds(`## Notes\n\n- It must print\n- ~~It must share the list~~ (no)\n`)).toEqual(
      ['read'],
    );
    const bound = '| Criterion | Notes |\n|---|---|\n| It prints | it must not exceed a page |';
    expect(await kinds(`## Acceptance criteria\n\n${bound}\n`)).toEqual(['read', 'whole']);
    const other = '| Name | Text |\n|---|---|\n| a | It is very blue |';
    expect(await kinds(`- It must print\n\n${other}\n`)).toEqual(['read', 'whole']);
  });

  it('is nothing for a task without text', async () => {
    expect(await kinds(' \n')).toEqual([]);
  });
});
