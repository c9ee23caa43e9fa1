import { describe, expect, it } from 'vitest';
import { criterion, definePipeline, memoryStore } from '../../../src/index.js';
import { suspended } from './support.js';

/** A check that wants a word, and adds it itself if it may. */
const wants = (word: string, fixes: boolean) =>
  criterion<string, string>(word, (output) => output.includes(word) || `no ${word}`, {
    ...(fixes && { fix: async (output: string) => `${output} ${word}` }),
  });

describe('a version that fixers mend in part', () => {
  it('is addressed before anybody reviews it again', async () => {
    const addressed: string[] = [];
    const outcome = await definePipeline<string, string>({
      produce: async () => 'tea',
      address: async (output, gaps) => {
        addressed.push(`${output} <- ${gaps.map(({ criterionId }) => criterionId).join()}`);
        return `${output} sugar`;
      },
      reviewers: [wants('milk', true), wants('sugar', false)],
    }).run('task');
    expect(outcome).toMatchObject({ status: 'approved', output: 'tea milk sugar' });
    expect(addressed).toEqual(['tea milk <- sugar']);
    expect(outcome.reviews).toHaveLength(2);
  });

  it('is addressed too where a check has the name of who wished for more', async () => {
    const notes: (string | undefined)[] = [];
    const pipeline = definePipeline<string, string>({
      produce: async () => 'tea',
      address: async (output, _gaps, { note }) => {
        notes.push(note);
        return `${output}, hot`;
      },
      reviewers: [
        criterion<string, string>('person', () => true, { fix: async (output) => `${output}!` }),
      ],
      human: { policy: 'require' },
      store: memoryStore(),
    });
    const [request] = suspended(await pipeline.run('task', { runId: 'r' })).requests;
    await pipeline.answer(request, { kind: 'revise', by: 'Ann', note: 'hotter' });
    expect(notes).toEqual(['hotter']);
  });
});
