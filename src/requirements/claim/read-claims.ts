import type { Claim } from './claim.js';
import { dataClauses } from './data-clauses.js';
import { lookClauses } from './look-clauses.js';
import { lengthClause, numberClauses } from './number-clauses.js';
import { propertyClauses } from './property-clauses.js';
import { type Sentence, sentenceOf } from './sentence.js';
import { valueClauses } from './value-clauses.js';
import { WordReader } from './word-reader.js';

/** The version of the grammar. Change it when a sentence is read in another way. */
export const claimsVersion = 2;

const forms = [
  ...dataClauses,
  ...propertyClauses,
  ...valueClauses,
  lengthClause,
  ...numberClauses,
  ...lookClauses,
];
const mostParts = 6;
const mostJoints = 8;
const lead = /^(?:please )?(?:(?:ensure|make sure|verify|check)(?: that)? )?/;
const modal = '(?:must|should|shall|has to|have to|needs to|need to|will|may not|can not)';
const own = new RegExp(`(?:^|^[^,;]* )(?:${modal}|is|are|has|contains|includes|uses|shows) `);
const command = /^(?:use|include|add|show|display|provide|create|write|set|give|label) /;

/**
 * Returns the claims of a requirement, all of which must hold. Returns `undefined` if any word of
 * it is not understood.
 */
export function readClaims(requirement: string): readonly Claim[] | undefined {
  const sentence = sentenceOf(requirement);
  if (sentence === undefined) return undefined;
  return readSentence({ ...sentence, words: sentence.words.replace(lead, '') }, mostParts);
}

function readSentence(sentence: Sentence, parts: number): readonly Claim[] | undefined {
  return readClause(sentence) ?? readParts(sentence, parts);
}

function readClause(sentence: Sentence): readonly Claim[] | undefined {
  for (const form of forms) {
    const reader = new WordReader(sentence);
    const claims = form(reader);
    if (claims !== undefined && reader.done) return claims;
  }
  return undefined;
}

/** Reads two sentences with "and" between them. The second may take the subject of the first. */
function readParts({ words, texts }: Sentence, parts: number): readonly Claim[] | undefined {
  const joints = [...words.matchAll(/ (?:, and|and|, but|but|;|,) /g)];
  if (parts <= 1 || joints.length > mostJoints) return undefined;
  for (const { 0: joint, index } of joints) {
    const left = `${words.slice(0, index)} `;
    const right = words.slice(index + joint.length);
    if (!isSentence(right, left)) continue;
    const first = readClause({ words: left, texts });
    const rest = first && readSentence({ words: withSubject(left, right), texts }, parts - 1);
    if (first !== undefined && rest !== undefined) return [...first, ...rest];
  }
  return undefined;
}

/**
 * Returns whether words after "and" are a sentence with its own verb. In "must not have a table and
 * a form" they are not. In "do not use tables and show images" nobody knows.
 */
function isSentence(right: string, left: string): boolean {
  if (own.test(right) || /^(?:do not|never|avoid) /.test(right)) return true;
  return command.test(right) && !/\b(?:not|never|no|avoid|without)\b/.test(left);
}

/** Returns the second part of a sentence with the subject of the first, if it has none. */
function withSubject(left: string, right: string): string {
  if (!new RegExp(`^${modal} `).test(right)) return right;
  const subject = new RegExp(`^(.*?) (?=${modal} )`).exec(left)?.[0] ?? '';
  return `${subject}${right}`;
}
