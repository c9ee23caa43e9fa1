import { describe, expect, it } from 'vitest';
import { type Choice, effectOf, unanswered } from '@/faces/inbox/app/draft.js';

const asked = (approves = true) => ({
  approves,
  undecided: [
    { criterion: 'tone', question: 'Is the tone met?', reason: '' },
    { criterion: 'colour', question: 'Is the colour met?', reason: '' },
    { criterion: 'wish', question: 'Is it short?', reason: '', mandatory: false },
  ],
});

/** The answers to tone, colour and wish by one letter each; `-` is none. */
function draftOf(letters: string) {
  const words: Readonly<Record<string, Choice>> = { y: 'yes', n: 'no', c: 'open' };
  const names = ['tone', 'colour', 'wish'];
  const choices = names.flatMap((name, index) => {
    const choice = words[letters[index] ?? '-'];
    return choice === undefined ? [] : [[name, choice] as const];
  });
  return { choices: Object.fromEntries(choices), missing: { colour: ' the price ', tone: 'x' } };
}

const yes = { tone: 'yes', colour: 'yes' };
const price = { colour: 'the price' };
const approves = 'Approves this version, in your name. Nothing else is asked.';
const sendsBack = (gaps: string) => `Sends it back with ${gaps}. The agent goes on.`;
const open = (count: number) => `Stays open: ${count} not decided. Nothing is approved.`;

type Effect = readonly [say: string, verb?: string, answer?: object];
const effects: Readonly<Record<string, Effect>> = {
  '---': ['No answer yet.'],
  'y--': ['1 more to answer.'],
  '--y': ['2 more to answer.'],
  'c--': ['1 more to answer.'],
  'yy-': [approves, 'Approve', { approve: true, decisions: yes }],
  yyc: [approves, 'Approve', { approve: true, decisions: yes }],
  yyy: [approves, 'Approve', { approve: true, decisions: { ...yes, wish: 'yes' } }],
  'yn-': [
    sendsBack('1 gap'),
    'Send back',
    { missing: price, decisions: { tone: 'yes', colour: 'no' } },
  ],
  '-n-': [sendsBack('1 gap'), 'Send back', { missing: price, decisions: { colour: 'no' } }],
  nnn: [
    sendsBack('3 gaps'),
    'Send back',
    {
      missing: { ...price, tone: 'x' },
      decisions: { tone: 'no', colour: 'no', wish: 'no' },
    },
  ],
  yyn: ['Reports 1 gap, then asks again.', 'Send', { decisions: { ...yes, wish: 'no' } }],
  'yc-': [open(1), 'Leave open', { decisions: { tone: 'yes' } }],
  'cc-': [open(2), 'Leave open'],
};

describe('what sending a review does', () => {
  it.each(Object.entries(effects))('%s: %s', (letters, [say, verb, answer]) => {
    const effect = effectOf(asked(), draftOf(letters));
    expect(effect).toMatchObject({ say, ready: verb !== undefined });
    if (verb !== undefined) expect(effect.verb).toBe(verb);
    if (effect.ready)
      expect(effect.answer).toEqual(
        answer === undefined ? undefined : { kind: 'decide', ...answer },
      );
  });

  it('never approves where nobody is asked to', () => {
    const { say, answer } = effectOf(asked(false), draftOf('yyy'));
    expect([say, answer?.approve]).toEqual([
      'Decides what was open. The review goes on.',
      undefined,
    ]);
  });

  it('counts the answers that it waits for', () => {
    expect(unanswered(asked(), draftOf('--n'))).toBe(2);
    expect(unanswered(asked(), draftOf('yc-'))).toBe(0);
    expect(unanswered({ undecided: [] }, draftOf('---'))).toBe(1);
  });
});
