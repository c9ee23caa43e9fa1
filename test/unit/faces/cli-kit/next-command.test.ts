import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { quoted } from '@/faces/cli-kit/show/listing.js';
import { type MoreArguments, nextCommands, wayLine } from '@/faces/cli-kit/show/next-command.js';
import type { RunReport } from '@/faces/reports/run-report.js';
import { gapOf } from '../../engine/policies/fixtures.js';
import { question as anyQuestion, emptyReport } from './support.js';

const report = { ...emptyReport, status: 'exhausted', code: 'iterations', exitCode: 50 };
const options = {
  again: ({ fix, write, provider }: MoreArguments) => [
    'my site',
    '--task',
    't.md',
    ...(fix ? ['--fix'] : []),
    ...(write ? ['--write'] : []),
    ...(provider === undefined ? [] : ['--provider', provider]),
  ],
  example: false,
  fix: false,
  fixable: true,
  model: false,
  shortId: 'ab12',
  store: '',
};
const version = 'v1';
const question = { ...anyQuestion, id: 'q1', allowed: ['reject', 'skip'] as const };

describe('the next command', () => {
  test.each([
    ['repairs what fixers can', report, options, "reviewloop review 'my site' --task t.md --fix"],
    [
      'shows the run where nothing can be repaired',
      report,
      { ...options, fixable: false },
      'reviewloop runs ab12',
    ],
    [
      'writes what was repaired',
      { ...report, changed: ['a'] },
      { ...options, fix: true },
      "reviewloop review 'my site' --task t.md --write",
    ],
    [
      'shows the run after writing',
      { ...report, changed: ['a'], written: ['a'] },
      { ...options, fix: true },
      'reviewloop runs ab12',
    ],
    [
      'offers the override where nothing can be repaired',
      { ...report, version },
      { ...options, fixable: false },
      'reviewloop override ab12 --reason "..."',
    ],
    [
      'offers the override after --fix',
      { ...report, version },
      { ...options, fix: true, store: ' --store file:x' },
      'reviewloop override ab12 --reason "..." --store file:x',
    ],
    [
      'offers no override of the example',
      { ...report, version },
      { ...options, again: undefined, example: true, fixable: false },
      'reviewloop runs ab12',
    ],
    [
      'offers the answer to a question',
      { ...report, status: 'suspended', requests: [question] },
      options,
      'reviewloop answer ab12 reject',
    ],
    [
      'says where a reason is needed',
      { ...report, status: 'suspended', requests: [{ ...question, allowed: ['revise'] as const }] },
      options,
      'reviewloop answer ab12 revise --reason "..."',
    ],
    [
      'names one of several questions',
      { ...report, status: 'suspended', requests: [question, { ...question, id: 'q2' }] },
      options,
      'reviewloop answer ab12 reject --question q1',
    ],
    [
      'shows the run after a failure',
      { ...report, status: 'failed' },
      options,
      'reviewloop runs ab12',
    ],
    [
      'shows the run where the command cannot be repeated',
      report,
      { ...options, again: undefined },
      'reviewloop runs ab12',
    ],
  ])('%s', (_, given, how, expected) => expect(nextCommands(given, how)[0].command).toBe(expected));

  const undecided: RunReport['undecided'] = [
    { criterion: 'requirement:a', id: 'R1', verdict: 'undecided', text: '', mandatory: false },
    { criterion: 'requirement:b', id: 'R2', verdict: 'undecided', text: '' },
    { criterion: 'tone', verdict: 'undecided', text: '' },
  ];
  const again = "reviewloop review 'my site' --task t.md";
  const override = 'reviewloop override ab12 --reason "..." # in your name';
  const linesOf = (...given: Parameters<typeof nextCommands>) =>
    nextCommands(...given).map(wayLine);
  const open = gapOf();

  test('names the ways on from open questions: decide, name a model, leave out', () => {
    const given = { ...report, status: 'inconclusive', version, undecided };
    const none = { ...options, fixable: false };
    expect(linesOf(given, none)).toEqual([
      'reviewloop answer ab12 R2=yes tone=yes # yes or no, as you judge it',
      `${again} --provider ollama:MODEL # a model decides`,
      'reviewloop inbox # in the browser',
      'reviewloop requirements t --write # leaves out what nobody must decide',
      override,
    ]);
    expect(nextCommands(given, { ...none, model: true, again: undefined })).toHaveLength(4);
    expect(linesOf({ ...given, undecided: undecided.slice(2) }, none)[0]).toBe(
      'reviewloop answer ab12 tone=yes # yes or no, as you judge it',
    );
    expect(linesOf({ ...given, undecided: undecided.slice(0, 1) }, none)[0]).toBe(override);
  });

  test('asks judges that failed again, before anything else [R2-026]', () => {
    const failures: RunReport['failures'] = [{ criterion: 'a', verdict: 'errored', text: 'x' }];
    const given = { ...report, status: 'inconclusive', version, undecided, failures };
    expect(linesOf(given, options)).toEqual([`${again} # asks the failed judges again`, override]);
    expect(linesOf(given, { ...options, again: undefined })).toEqual([override]);
  });

  test('offers no --fix where none can help [R2-098]', () => {
    const given = { ...report, version, gaps: [open] };
    expect(linesOf(given, { ...options, fixable: false })).toEqual([
      `${again} # after you fixed the gaps`,
      override,
    ]);
  });

  test('a shell reads arguments back as they were', () => {
    const words = fc.array(
      fc.string().filter((word) => !word.includes('\0')),
      { minLength: 1, maxLength: 5 },
    );
    // one shell for all of them: starting one costs more than its work
    const lists = fc.sample(words, 50);
    const lines = lists.map(
      (given) => `printf '%s\\0' ${given.map(quoted).join(' ')}; printf '\\0\\0'`,
    );
    const read = execFileSync('bash', ['-c', lines.join('\n')], { encoding: 'utf8' });
    expect(read).toBe(lists.map((given) => `${given.join('\0')}\0\0\0`).join(''));
  });
});
