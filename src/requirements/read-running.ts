import type { Block } from './block.js';
import { introduces, isComplete, leadOf } from './lead.js';
import { isObligation, isUserStory } from './modality.js';
import { piecesOf } from './paragraph-pieces.js';
import type { Reading } from './reading.js';
import { sentencesOf } from './sentences.js';
import { isMetadata, isPlaceholder, isRank, type Label, labelOf } from './shape.js';
import { StepReader } from './steps.js';
import { asksAsSentence, type Standing, standingOf } from './verdict.js';

/** Lines of running text. */
export interface Running {
  readonly lines: readonly string[];
  readonly line: number;
  readonly indent: number;
  readonly next: Block | undefined;
}

/** What a mail says beside its matter. */
const aside =
  /^(?:by the way|btw|p\.?\s?p?\.?s\b|on (?:another|a different|an unrelated) (?:note|topic)|unrelated(?:ly)?\b)/i;

/** What a template asks its author for: a paragraph in angle brackets. */
const wholeGap = /^<\p{Lu}[^<>]{10,2000}>$/u;

/** Reads running text: a user story, the steps of a scenario, or sentences. */
export function readRunning(running: Running, reading: Reading): void {
  const { lines, line } = running;
  const text = lines.join(' ').trim();
  const label = labelOf(text);
  if (tellsOnly(text, label)) return;
  if (readSteps(running, reading)) return;
  if (isUserStory(label?.rest ?? text) && !/\.\s+\S/.test(text)) {
    if (!reading.place.isMute && !isPlaceholder(text))
      reading.add({ text, kind: 'statement', line, endLine: line + lines.length - 1 });
    return;
  }
  const named = label?.kind === 'asked' || label?.kind === 'accepted' ? label.kind : undefined;
  readSentences(running, named ?? standingOf(reading), reading);
}

/** `User description: "..."`: what somebody said, and the document says anew. */
function isQuoted(text: string): boolean {
  return /^(?:[\w ]{1,30}: ?)?["“][^"“”]{20,}["”]$/.test(text);
}

function tellsOnly(text: string, label: Label | undefined): boolean {
  if (wholeGap.test(text)) return true;
  if (label === undefined) return aside.test(text);
  return (
    aside.test(text) ||
    isQuoted(label.rest) ||
    label.kind === 'background' ||
    label.kind === 'excluded' ||
    isRank(label) ||
    (isMetadata(label) && !isObligation(label.rest))
  );
}

function readSentences(
  { lines, line, indent, next }: Running,
  kind: Standing['kind'],
  reading: Reading,
): void {
  const { place, stated, add } = reading;
  const sentences = sentencesOf(lines);
  for (const [index, sentence] of sentences.entries()) {
    const { text, line: from, endLine } = sentence;
    const leads = index === sentences.length - 1 && introduces(text) && isFollowed(next);
    if (leads) place.lead(leadOf(text, indent));
    if (
      (leads && !isComplete(text)) ||
      !asksAsSentence(text, { kind, stated }) ||
      opensWith(text, index, reading)
    )
      continue;
    add({
      text,
      kind: kind === 'accepted' ? 'acceptance_criterion' : 'statement',
      line: line + from,
      endLine: line + endLine,
    });
  }
}

function opensWith(text: string, index: number, { opening }: Reading): boolean {
  return opening && index === 0 && isGoal(text);
}

/** The sentence that a task opens with ("Design a login form and a dashboard") names the work, unless it says how the work has to be. */
function isGoal(text: string): boolean {
  const opens =
    /^(?:please )?(?:add|build|create|design|develop|draft|explain|implement|make|plan|prepare|produce|write)\b/i.test(
      text.trim(),
    );
  return (
    opens &&
    !/\b(?:that|which|who|where|when|with|without|so|using|must|should|shall|each|every|within|least|most|only|not|if|from|\d+)\b/i.test(
      text,
    )
  );
}

/** Steps of a scenario that were typed as lines of running text. */
function readSteps({ lines, line }: Running, { place, add }: Reading): boolean {
  const reader = new StepReader();
  const roles = lines.map((text) => reader.read(text, true));
  const known = roles.filter((role) => role !== undefined).length;
  if (lines.length < 2 || known < Math.max(2, lines.length - 1) || !roles.includes('outcome'))
    return false;
  for (const [index, text] of lines.entries()) {
    if (roles[index] === 'outcome' && !place.isMute && !isPlaceholder(text))
      add({ text, kind: 'step', line: line + index, endLine: line + index });
  }
  return true;
}

function isFollowed(next: Block | undefined): boolean {
  if (next?.kind === 'paragraph') return piecesOf(next.lines)[0]?.form !== undefined;
  return next !== undefined && next.kind !== 'heading';
}
