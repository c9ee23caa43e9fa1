import type { Block, Item } from './block.js';
import { isImperative } from './imperative.js';
import { introduces, isComplete, leadOf } from './lead.js';
import { isObligation } from './modality.js';
import type { Place } from './place.js';
import type { Reading } from './reading.js';
import type { SectionKind } from './sections.js';
import { isClosedStep, isWholeScenario } from './steps.js';
import { asksAsItem, standingOf } from './verdict.js';

/** Reads one item of a list: a requirement, a line that leads to a list below it, or the precondition of a scenario. */
export function readItem(item: Item, next: Block | undefined, reading: Reading): void {
  const { place, steps, stated, parallel, declared, add } = reading;
  const { lines, line, indent, form, checked } = item;
  const text = lines.join(' ').trim();
  if (declared.has(item)) return;
  const role = steps.read(text, place.inScenario);
  const step = role === 'outcome';
  const { kind } = place;
  if (role === 'before' && !saysOutcome(text, next)) {
    precede(next, indent, place);
    return;
  }
  const leads = leadsOn(text, indent, next);
  if (leads) place.lead({ ...leadOf(text, indent), ...(step && { kind: 'asked' }) });
  if (
    (leads && !step && !standsAlone(item, text)) ||
    !asksAsItem(text, {
      kind: standingOf(reading),
      stated: stated && !parallel.has(item),
      form,
      step,
    })
  )
    return;
  add({
    text,
    kind: step ? 'step' : shownAs(form, kind),
    line,
    endLine: line + lines.length - 1,
    ...(checked !== undefined && { checked }),
  });
}

/** What stands below a precondition belongs to it. */
function precede(next: Block | undefined, indent: number, place: Place): void {
  if (isNested(next, indent))
    place.lead({ indent, strength: undefined, kind: 'background', forbids: undefined });
}

function shownAs(form: Item['form'], kind: SectionKind): string {
  return kind === 'accepted' && form !== 'task' ? 'acceptance_criterion' : form;
}

function standsAlone({ form }: Item, text: string): boolean {
  return form === 'task' || (isComplete(text) && isObligation(text));
}

function leadsOn(text: string, indent: number, next: Block | undefined): boolean {
  return introduces(text) && (isNested(next, indent) || (isFigure(next) && !isImperative(text)));
}

/** Whether what is given or done says what has to follow, too. */
function saysOutcome(text: string, next: Block | undefined): boolean {
  return (
    isObligation(text) ||
    isWholeScenario(text) ||
    isClosedStep(text, next?.kind === 'item' ? next.lines.join(' ') : undefined)
  );
}

function isNested(next: Block | undefined, indent: number): boolean {
  return next?.kind === 'item' && next.indent > indent;
}

function isFigure(next: Block | undefined): boolean {
  return next?.kind === 'table' || next?.kind === 'code';
}
