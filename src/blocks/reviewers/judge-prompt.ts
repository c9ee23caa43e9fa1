import type { FencedQuestion, Seal } from '../models/answer/ask-fenced.js';
import { fence, untrusted, wholeAnswer } from '../models/prompt/fence.js';
import type { PromptSection } from '../models/prompt/sections.js';

/**
 * Part of every verdict's key. Raise it when the words below change: then no cached verdict
 * matches.
 */
export const judgePromptVersion = 4;

/** One question about some of the material: yes or no, or a grade. */
export interface JudgeQuestion {
  readonly text: string;
  /** The best grade, if it asks for one; the worst is 1. @default yes or no */
  readonly scale?: number | undefined;
  /** The id of the criterion that asks; not part of the prompt. */
  readonly criterion?: string | undefined;
  /** Labels of the sections to judge. @default all sections */
  readonly about?: readonly string[] | undefined;
}

export interface JudgePromptInput {
  readonly task: string | undefined;
  readonly sections: readonly PromptSection[];
  readonly questions: readonly JudgeQuestion[];
}

export function judgePrompt(
  { task, sections, questions }: JudgePromptInput,
  { nonce, token }: Seal,
): FencedQuestion {
  return {
    system: instructions(nonce, questions.some(isGraded)),
    material: [
      ...taskMaterial(task, nonce),
      'The output to judge:',
      ...sections.map(({ label, text }) => fence(label, text, nonce)),
    ],
    question: `${questions.map(questionLine).join('\n')}\n\nThe token is ${token}.`,
  };
}

export function taskMaterial(task: string | undefined, nonce: string): string[] {
  return task === undefined ? [] : [`The task was:\n${fence('task', task, nonce)}`];
}

export function isGraded({ scale }: JudgeQuestion): boolean {
  return scale !== undefined;
}

function questionLine({ text, scale, about = [] }: JudgeQuestion, index: number): string {
  const how = scale === undefined ? '' : ` (grade from 1 to ${scale})`;
  const where = about.length > 0 ? ` (judge only: ${about.map(quotedLabel).join(', ')})` : '';
  return `Question ${index + 1}${how}${where}: ${text.trim()}`;
}

const longestLabel = 200;

/** Returns a label in quotes that it cannot end: it holds a path, which is the author's. */
function quotedLabel(label: string): string {
  const plain = label.replace(/[^\p{L}\p{N}\p{M}_./()@+-]+/gu, ' ').trim();
  return `"${plain.length > longestLabel ? `${plain.slice(0, longestLabel)}...` : plain}"`;
}

/** The judge is told the scale and never the bar, so that no grade is drawn to it. */
const gradeLines = [
  '  A question that names a scale gets "graded" instead of "yes" or "no".',
  '- "grade": for "graded", a whole number on the scale, 1 is the worst. None in "reason" counts.',
];

function instructions(nonce: string, graded: boolean): string[] {
  const worse = graded ? 'For "no", and for a grade below the best,' : 'For "no"';
  const shows = graded ? 'a "no" shows, or what lowers a grade' : 'a "no" shows';
  return [
    `You judge an output by ${graded ? '' : 'yes-or-no '}questions. Be strict and exact, and judge only what ` +
      'you see.',
    '',
    untrusted(nonce),
    '',
    `${wholeAnswer} "token" repeats the token that stands behind the questions, "answers" ` +
      'holds an entry for every question:',
    '- "question": its number.',
    '- "answer": "yes" when the output does what the question asks for, "no" when it does ' +
      'not, "not_applicable" when the question does not concern this output.',
    ...(graded ? gradeLines : []),
    '- "reason": one or two sentences.',
    `${worse} also:`,
    '- "quote": a short passage that shows it, copied character by character from the ' +
      'material; leave it out when something is missing.',
    '- "file": the path of the artifact, and "line": the number of the line, where there is one.',
    '- "severity": "critical", "major" or "minor", and "suggestedFix": what to change.',
    `Give a separate entry for each place where ${shows}.`,
  ];
}
