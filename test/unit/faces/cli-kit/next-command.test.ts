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
  const unfixable = { fixable: false };
  const suspended = (...requests: object[]) => ({ status: 'suspended', requests });
  const runs = 'runs ab12';
  const override = 'override ab12 --reason "..."';
  test.each<[string, object, object, string]>([
    ['repairs what fixers can', {}, {}, "review 'my site' --task t.md --fix"],
    ['shows the run where nothing can be repaired', {}, unfixable, runs],
    [
      'writes what was repaired',
      { changed: ['a'] },
      { fix: true },
      "review 'my site' --task t.md --write",
    ],
    ['shows the run after writing', { changed: ['a'], written: ['a'] }, { fix: true }, runs],
    ['offers the override where nothing can be repaired', { version }, unfixable, override],
    [
      'offers the override after --fix',
      { version },
      { fix: true, store: ' --store file:x' },
      `${override} --store file:x`,
    ],
    [
      'offers no override of the example',
      { version },
      { ...unfixable, again: undefined, example: true },
      runs,
    ],
    ['offers the answer to a question', suspended(question), {}, 'answer ab12 reject'],
    [
      'says where a reason is needed',
      suspended({ ...question, allowed: ['revise'] }),
      {},
      'answer ab12 revise --reason "..."',
    ],
    [
      'names one of several questions',
      suspended(question, { ...question, id: 'q2' }),
      {},
      'answer ab12 reject --question q1',
    ],
    ['shows the run after a failure', { status: 'failed' }, {}, runs],
    ['shows the run where the command cannot be repeated', {}, { again: undefined }, runs],
  ])('%s', (_, given, how, expected) =>
    expect(nextCommands({ ...report, ...given }, { ...options, ...how })[0].command).toBe(
      `reviewloop ${expected}`,
    ),
  );

  const undecided: RunReport['undecided'] = [
    { criterion: 'requirement:a', id: 'R1', verdict: 'undecided', text: '', mandatory: false },
    { criterion: 'requirement:b', id: 'R2', verdict: 'undecided', text: '' },
    { criterion: 'tone', verdict: 'undecided', text: '' },
  ];
  const again = "reviewloop review 'my site' --task t.md";
  const inYourName = `reviewloop ${override} # in your name`;
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
      inYourName,
    ]);
    expect(nextCommands(given, { ...none, model: true, again: undefined })).toHaveLength(4);
    expect(linesOf({ ...given, undecided: undecided.slice(2) }, none)[0]).toBe(
      'reviewloop answer ab12 tone=yes # yes or no, as you judge it',
    );
    expect(linesOf({ ...given, undecided: undecided.slice(0, 1) }, none)[0]).toBe(inYourName);
  });

  test('asks judges that failed again, before anything else [R2-026]', () => {
    const failures: RunReport['failures'] = [{ criterion: 'a', verdict: 'errored', text: 'x' }];
    const given = { ...report, status: 'inconclusive', version, undecided, failures };
    expect(linesOf(given, options)).toEqual([
      `${again} # asks the failed judges again`,
      inYourName,
    ]);
    expect(linesOf(given, { ...options, again: undefined })).toEqual([inYourName]);
  });

  test('offers no --fix where none can help [R2-098]', () => {
    const given = { ...report, version, gaps: [open] };
    expect(linesOf(given, { ...options, fixable: false })).toEqual([
      `${again} # after you fixed the gaps`,
      inYourName,
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
