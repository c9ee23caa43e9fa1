import { describe, expect, it } from 'vitest';
import { labelsOfJournal, readLabels } from '../../../src/calibration/index.js';
import { digestJson } from '../../../src/core/json.js';
import { digestWith } from '../../../src/core/version.js';
import type { JournalRecord } from '../../../src/ports/store.js';

const line = (label: object): string => JSON.stringify(label);

describe('readLabels', () => {
  it('reads a label in every line, past a mark of the encoding, empty lines and members that it does not know', () => {
    const text = `\ufeff${line({ id: 'a', task: 't', output: 'x', label: 'pass', by: 'ann' })}\r\n\n${line({ output: { n: 1 }, label: 'fail' })}\n`;
    expect(readLabels(text, 'l.jsonl')).toEqual([
      { id: 'a', task: 't', output: 'x', label: 'pass' },
      { id: 'line 3', task: null, output: { n: 1 }, label: 'fail' },
    ]);
  });

  it('names every line that is wrong, ten at most, and reads nothing then', () => {
    const wrong = [
      'no json',
      '[]',
      line({ label: 'pass' }),
      line({ output: null, label: 'pass' }),
      line({ output: 'x', label: 'good' }),
      line({ id: '', output: 'x', label: 'pass' }),
    ];
    const read = () =>
      readLabels([...wrong, line({ output: 'x', label: 'pass' })].join('\n'), 'l.jsonl');
    for (const [index] of wrong.entries()) expect(read).toThrow(`l.jsonl:${index + 1}: `);
    expect(read).toThrow('l.jsonl:1: not JSON');
    expect(read).toThrow('label: ');
    expect(() => readLabels('x\n'.repeat(13), 'l.jsonl')).toThrow('\nand 3 more');
  });

  it('refuses a misspelt member that decides what a label means', () => {
    const labelled = { output: 'x', label: 'pass' };
    const read = (more: object) => readLabels(line({ ...labelled, ...more }), 'l.jsonl');
    expect(() => read({ overriden: true })).toThrow('the nearest is overridden');
    expect(() => read({ arangement: 'a' })).toThrow('the nearest is arrangement');
    expect(read({ by: 'ann', tags: [], reason: 'x' })).toHaveLength(1);
  });

  it('refuses an id that is given twice, and a file without labels', () => {
    const twice = [
      line({ id: 'a', output: 'x', label: 'pass' }),
      line({ id: 'a', output: 'y', label: 'fail' }),
    ].join('\n');
    expect(() => readLabels(twice, 'l.jsonl')).toThrow(
      'l.jsonl:2: duplicate id "a", first in line 1',
    );
    expect(() => readLabels('\n \n', 'l.jsonl')).toThrow('l.jsonl contains no labels');
  });
});

describe('labelsOfJournal', () => {
  const digest = digestWith(digestJson('the text'), undefined);
  const step: JournalRecord = {
    type: 'step',
    name: 'produce',
    input: '',
    value: 'the text',
    at: 1,
  };
  const answer = (kind: string, more: object = {}, about = digest) =>
    ({
      type: 'answer',
      name: 'approval',
      digest: about,
      at: 0,
      answer: { kind, by: 'ann', ...more },
    }) as unknown as JournalRecord;
  const labels = (...records: JournalRecord[]) =>
    labelsOfJournal([step, ...records]).labels.map(({ label, reason }) => [label, reason]);

  it('takes what people said of a version, and the reason or the note; who skips says nothing [R2-065]', () => {
    const [overridden] = labelsOfJournal([step, answer('override', { reason: 'urgent' })]).labels;
    expect(overridden).toMatchObject({ label: 'fail', overridden: true });
    const request = { id: 'q', approved: false, gaps: [] };
    const asked = { type: 'request', request, at: 0 } as unknown as JournalRecord;
    const approved = { ...answer('approve', { reason: 'urgent' }), id: 'q' };
    expect(labels(asked, approved)).toEqual([['fail', 'urgent']]);
    expect(labels(answer('approve'))).toEqual([['pass', undefined]]);
    expect(labels(answer('override', { reason: 'urgent' }))).toEqual([['fail', 'urgent']]);
    expect(labels(answer('reject', { reason: 'false' }))).toEqual([['fail', 'false']]);
    expect(labels(answer('revise', { note: 'shorter' }))).toEqual([['fail', 'shorter']]);
    expect(labels(answer('skip'))).toEqual([]);
  });

  it('counts the last answer about a version, and tells of those whose version is gone', () => {
    const run = { type: 'run', runId: 'r1', task: 'write' } as unknown as JournalRecord;
    expect(
      labelsOfJournal([
        run,
        step,
        answer('revise'),
        answer('approve'),
        answer('reject', {}, 'gone'),
      ]),
    ).toEqual({
      labels: [
        {
          id: `r1:${digest.slice(0, 12)}`,
          task: 'write',
          output: 'the text',
          label: 'pass',
          by: 'ann',
          at: '1970-01-01T00:00:00.000Z',
        },
      ],
      lost: 1,
    });
    expect(
      labelsOfJournal([answer('reject', {}, 'kept')], { digest: 'kept', output: 'x' }),
    ).toMatchObject({ labels: [{ output: 'x', label: 'fail' }], lost: 0 });
  });
});
