import { assertedText, plainStart } from './obligation.js';

/** Verbs at the beginning of tasks. */
const verbs = new Set(
  (
    'add adjust allow apply archive ask avoid block build bump bundle cache calculate change check clean clear combine compare configure convert copy create define delete deploy describe design detect disable display document download draw drop ' +
    'emit enable encrypt ensure escape expand explain export expose extend extract fall fetch fill filter find fix focus follow force format generate give group guard handle hide highlight ignore implement import improve include increase inline insert install integrate introduce ' +
    'keep let limit link list load log make map mark merge migrate mock move name notify offer omit open order parse persist pick preserve prevent print protect provide publish put read reduce refactor refuse register reject release reload remember remove rename render reorder ' +
    'repeat replace report require reset resolve respect restore retry return reuse revert review rewrite round run sanitize save search select send set ship show simplify skip sort split start stop store support switch sync take test throw track translate treat trim try tweak ' +
    'unify update upgrade upload use validate verify warn wrap write'
  ).split(' '),
);
/**
 * Returns whether a text is a command: it begins with the base form of a task's verb, or it forbids
 * something.
 */
export function isCommand(text: string): boolean {
  const said = withoutName(plainStart(text)).replace(
    /^(?:please|also|then|always|only)[,:]?\s+/i,
    '',
  );
  if (/^(?:do not|don['’]t|never)\s+[a-z]/i.test(said)) return true;
  const [verb = '', object] = said.toLowerCase().split(/\s+/, 2);
  return object !== undefined && verbs.has(verb);
}

/**
 * Returns a text without an identifier or a bold label before its words: "T004 [US1] Add",
 * "**Release**: Build".
 */
function withoutName(text: string): string {
  return text
    .replace(/^(?:[A-Z]{1,4}-?)?\d{1,4}(?:\.\d+)*[:.)]?\s+/, '')
    .replace(/^(?:\[[A-Z]{1,4}\d{0,3}\]\s*){1,3}/, '')
    .replace(/^[\p{L}][\p{L} -]{0,30}:\s+/u, '');
}

const person =
  '(?:users?|customers?|visitors?|guests?|admin(?:istrator)?s?|operators?|members?|owners?|managers?|developers?|people|anyone|everyone)';
const product =
  '(?:system|app(?:lication)?|service|site|page|tool|server|api|cli|command|component|button|form|dialog|list|screen|report|product)';
const capability = new RegExp(
  `\\b${person}\\b(?: [\\w-]+){0,3} (?:can|cannot|will|(?:is|are) able to)\\b|\\b${product}\\b (?:can|cannot|will|never|always)\\b`,
  'i',
);
const behaviour = new RegExp(
  `^(?:when(?:ever)?|if|while|once|after|unless|where)\\b[^.;:]{3,300}?(?:,|\\bthen\\b)\\s*(?!(?:we|i|you)\\b)\\S|^(?:the |each |every )?(?:[\\w-]+ )?${product}s? (?!is\\b|was\\b|has\\b|as\\b|does\\b)[a-z]{2,}s\\b`,
  'i',
);

/**
 * Returns whether a sentence says what somebody can do with the result, or how the result behaves.
 */
export function isCapability(sentence: string): boolean {
  const text = assertedText(plainStart(sentence));
  return (
    !/\b(?:we|i|you) (?:can|will)\b/i.test(text) && (capability.test(text) || behaviour.test(text))
  );
}

const stories =
  /^as (?:an?|the) [^.!?]{2,100}?[,\s]\s*(?:i|we) (?:want|need|would like|can|should|must|wish)\b/i;

/** Returns whether a text is a user story: "As a visitor, I want …". */
export function isUserStory(text: string): boolean {
  return stories.test(plainStart(text).replace(/\s+/g, ' '));
}
