import { describe, expect, it } from 'vitest';
import { definePipeline } from '../../../src/index.js';
import { fakeWorkspace } from '../../../src/testing/index.js';
import { failed, passed, reviewer, untilNoGap } from './support.js';

/** A reviewer that wants an ending, and proposes nothing. */
const wanting = reviewer<string>('wanting', async ({ output }) => [
  output.endsWith('.') ? passed('ending') : failed('ending'),
]);

describe('what one of several reviewers proposes', () => {
  it('is the next version, whoever of them was asked first', async () => {
    const addressed: string[] = [];
    const proposing = reviewer<string>('proposing', async ({ output }) => ({
      assessments: [output.endsWith('.') ? passed('text') : failed('text')],
      proposal: output.endsWith('.') ? undefined : `${output}.`,
    }));
    const pipeline = definePipeline<string, string>({
      produce: async () => 'tea',
      address: async (output) => {
        addressed.push(output);
        return `${output}!`;
      },
      reviewers: [wanting, proposing],
      policy: untilNoGap,
    });
    expect(await pipeline.run('task')).toMatchObject({ status: 'approved', output: 'tea.' });
    expect(addressed).toEqual([]);
  });

  it('comes with the files that it changed', async () => {
    const workspace = fakeWorkspace({ 'a.txt': 'draft' });
    const mending = reviewer<string>('mending', async ({ output }) => {
      const isDone = workspace.files.get('a.txt') === 'done';
      workspace.files.set('a.txt', 'done');
      return {
        assessments: [isDone ? passed('files') : failed('files')],
        proposal: isDone ? undefined : `${output}.`,
      };
    });
    const pipeline = definePipeline<string, string>({
      workspace,
      produce: async () => 'tea',
      reviewers: [wanting, mending],
      policy: untilNoGap,
    });
    expect(await pipeline.run('task')).toMatchObject({ status: 'approved', output: 'tea.' });
    expect(Object.fromEntries(workspace.files)).toEqual({ 'a.txt': 'done' });
  });
});
