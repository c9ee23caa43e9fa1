import { isAction, isCommand } from './demand.js';
import { isLead } from './lead.js';
import { isObligation, plainStart } from './obligation.js';
import { wordCount } from './word-count.js';

/**
 * Returns whether a line that leads to a list is a command of its own: "Add a report with two
 * modes:". "Do the following:" is none.
 */
export function commandsMore(line: string): boolean {
  return isCommand(line) && wordCount(line) > 4 && !/\b(?:following|below)\b/i.test(line);
}

/** Returns whether a heading is a command with an object: "3.1 Support other types of output". */
export function commandsByName(heading: string): boolean {
  const said = plainStart(heading).replace(/^\d{1,2}(?:\.\d{1,2})*[.)]?\s+/, '');
  return /[.:]$/.test(said) && (isCommand(said) || isAction(said)) && wordCount(said) > 3;
}

/** Returns whether the text of an item with a list below only names the list: "**Search**". */
export function namesList(text: string): boolean {
  if (isLead(text)) return true;
  const [, name = ''] = /^(?:\*\*|__)([^*_]{1,80})(?:\*\*|__)$/.exec(text.trim()) ?? [];
  return name !== '' && !isObligation(name) && !commandsMore(name);
}
