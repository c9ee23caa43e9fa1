import { plainStart, wordCount } from './obligation.js';

/** Matches a sentence about the result in a section for requirements: "The list opens on a click". */
const describes =
  /^(?!(?:(?:this|these)(?! (?:\w+ ){1,3}will (?:be )?\w)|note|see|there(?! (?:will|must|shall) be\b)|(?:here|below|above) (?:is|are|you)|because|since|currently|today|no [^.]{0,60}\b(?:required|needed|necessary)|the (?:following|above|rest))\b)(?!given\b[^,]*:$)(?!.*\b(?:was|were|had|need|we|i (?:am|have|think|will|would|can)|you|us|me|often|usually|sometimes|mostly|normally|requirements?|criteria)\b)/i;

/** Returns whether an item is a statement and not only a name: "Broken files are moved". */
export function isStatement(text: string): boolean {
  const said = plainStart(text);
  const verb =
    /\b(?:is|are|has|have|can|cannot|will|would|may|never|always|does|do|not)\b|\b[a-z]+(?<!us|ss|is)s (?:the|an?|all|each|every|any|only|its|no|nothing|at|to|up|by|with|into|in|on|for|when|from|as|as if|\d)(?!\w)|^(?:the|an?|each|every|its|this) (?:[\w-]+ ){1,3}?[a-z]{3,}(?<!us|ss|is)s [a-z]|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Hangul}]{4}/u;
  return describes.test(said) && (verb.test(said) || (said.endsWith('.') && wordCount(said) > 3));
}
