import { isAction, isCommand, isUserStory } from './demand.js';
import { isLead } from './lead.js';
import { isObligation, plainStart, wordCount } from './obligation.js';
import { isStatement } from './plain-statement.js';

/**
 * Returns whether a line that leads to a list is a command of its own: "Add a report with two
 * modes:". "Do the following:" is none.
 */
export function commandsMore(line: string): boolean {
  return (
    isCommand(line) &&
    wordCount(line) > 4 &&
    !/\b(?:following|below)\b|\b(?:these|this)\b[^:]{0,40}:\W*$/i.test(line)
  );
}

/**
 * Returns whether a label belongs only to the block right below it, and not to all text after it:
 * "Example with two rows:", "Add a report with two modes:".
 */
export function leadsOnly(name: string): boolean {
  return commandsMore(name) || /^(?:for )?(?:examples?|instance|samples?)\b.*\s\S/i.test(name);
}

/** Returns whether a heading is a command with an object: "3.1 Support other types of output". */
export function commandsByName(heading: string): boolean {
  const said = plainStart(heading).replace(/^\d{1,2}(?:\.\d{1,2})*[.)]?\s+/, '');
  return /[.:]$/.test(said) && (isCommand(said) || isAction(said)) && wordCount(said) > 3;
}

/** Matches what follows a name: "(AC: 1, 2)", "[Source: …]". */
const reference =
  /(?:\((?:AC|ACs|see|ref)\b[^()]{0,40}\)|\(\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+(?:, [^()]{1,80})?\)|\[[^[\]]{1,80}\])$/u;
/** Matches text of which all is bold. */
const allBold = /^(?:\*\*|__)([^*_]{1,80})(?:\*\*|__)$/;
/** Matches the number of a task or step, which makes its name a requirement: "Task 1: Create". */
const numbered = /^(?:task|step|subtask) \d/i;
/** Matches a name without marks: "Rust Templates". */
const bareName = /^[\p{L}\p{N}][\p{L}\p{N}&/+#-]*(?: [\p{L}\p{N}&/+#-]+){0,2}$/u;

/** Returns a name without what follows it, and without its marks. */
export function nameOf(text: string): string {
  return plainStart(text.trim().replace(reference, '').trim()).replace(/(?<![:：*_])[:：*_]+$/, '');
}

/** Returns whether a text is a name of at most three words: "Rust Templates". */
export function isBareName(text: string): boolean {
  const said = nameOf(text);
  const says = [isObligation, isCommand, isAction, isStatement].some((is) => is(said));
  return bareName.test(said) && !says;
}

/**
 * Returns whether the text of an item with a list below only names the list: "**Search**", "Rust
 * Templates", "Fields:".
 */
export function namesList(text: string): boolean {
  if (isLead(text)) return true;
  const [, strong] = allBold.exec(plainText(text)) ?? [];
  if (strong === undefined) return isBareName(text);
  const says = isObligation(strong) || isUserStory(strong) || numbered.test(strong);
  return !says && wordCount(strong) < 8;
}

/** Returns a text without the signs before it and the reference after it. */
function plainText(text: string): string {
  return text
    .trim()
    .replace(/^(?:\p{Extended_Pictographic}|\uFE0F|\s)+/u, '')
    .replace(reference, '')
    .trim();
}
