import type { Kind } from './kinds.js';
import type { WordReader } from './word-reader.js';

const modal =
  'must|should|shall|has to|have to|needs to|need to|will|is to|are to|is required to|are required to|is expected to';
const forbidding = '(?:may|can|must|should|shall|will) (?:not|never)';

/** Verbs that say that something is there. */
const having = 'have|contain|include|use|show|display|feature|provide|mention|say|state';
const hasNow =
  'has|have|contains?|includes?|uses?|shows?|displays?|features?|provides?|mentions?|says?';
const commanding =
  'use|include|add|show|display|provide|have|contain|create|write|insert|mention|put|place';
const given =
  'used|shown|present|included|visible|displayed|available|provided|contained|there|added|left|created|written';
const ofFiles =
  /^(?:have|has|contain|include|create|write|add|provide)s?$|^(?:present|included|available|provided|contained|there|added|created|written|exist)$/;
const ofTexts = /^(?:mention|say|state)s?$/;

/** What a verb says about things: whether they must not exist, and its last word. */
export interface VerbWords {
  readonly negated: boolean;
  readonly verb: string;
  /** Whether things are only allowed. */
  readonly permits?: boolean | undefined;
}

/** Reads a word of obligation, and whether it forbids. */
export function readModal(reader: WordReader): { readonly negated: boolean } | undefined {
  if (reader.take(forbidding) !== undefined) return { negated: true };
  if (reader.take(modal) === undefined) return undefined;
  reader.take('also|always');
  return { negated: false };
}

/** Reads "must have", "must not use", "has" or "does not contain". */
export function readHaving(reader: WordReader): VerbWords | undefined {
  return reader.attempt(() => {
    const obligation = readModal(reader);
    const negated = obligation?.negated ?? reader.take('do not|does not|never') !== undefined;
    const verb = reader.take(obligation === undefined ? hasNow : having);
    return verb === undefined ? undefined : { negated, verb };
  });
}

/** Reads "use", "do not use", "never show" or "avoid". */
export function readCommand(reader: WordReader): VerbWords | undefined {
  return reader.attempt(() => {
    if (reader.take('avoid') !== undefined)
      return { negated: true, verb: reader.take('using|including|adding|showing') ?? 'avoid' };
    const negated = reader.take('do not|never') !== undefined;
    const verb = reader.take(commanding);
    return verb === undefined ? undefined : { negated, verb };
  });
}

/** Reads "must be used", "must not be present", "are not allowed" or "must exist". */
export function readGiven(reader: WordReader): VerbWords | undefined {
  return reader.attempt(() => {
    const obligation = readModal(reader);
    if (obligation === undefined)
      return reader.take('is|are') === undefined ? undefined : readState(reader, undefined);
    if (reader.take('exist|appear') !== undefined) return { ...obligation, verb: 'exist' };
    return reader.take('be') === undefined ? undefined : readState(reader, obligation.negated);
  });
}

/** Reads what things are: "used", "not allowed" or "forbidden". */
function readState(reader: WordReader, denied: boolean | undefined): VerbWords | undefined {
  if (reader.take('forbidden|prohibited|banned|disallowed') !== undefined)
    return denied === true ? undefined : { negated: true, verb: 'exist' };
  const negated = denied ?? reader.take('not') !== undefined;
  if (reader.take('allowed|permitted') !== undefined)
    return { negated, verb: 'exist', permits: true };
  const verb = reader.take(given);
  return verb === undefined ? undefined : { negated, verb };
}

/** Returns whether a verb says that a thing of a kind is there: "use a.css" says more. */
export function saysThatExists(verb: string, kind: Kind): boolean {
  if (kind === 'file') return ofFiles.test(verb);
  return kind === 'text' || !ofTexts.test(verb);
}
