import { assertedText, plainStart } from './obligation.js';

/** Verbs at the beginning of tasks. */
const verbs = new Set(
  (
    'accept add adjust align allow annotate answer append apply archive ask assign attach ' +
    'automate avoid block build bump bundle cache calculate capitalize center centre change ' +
    'check cite clean clear close collapse collect combine compare compress compute configure ' +
    'confirm connect convert copy correct cover create crop cut darken decrease deduplicate ' +
    'define delay delete deploy describe design detach detect disable disallow display divide ' +
    'document download drag draw drop embed emit enable encode encrypt enforce enlarge ensure ' +
    'escape evaluate exclude execute expand explain export expose extend extract fade fail ' +
    'fall fetch fill filter find finish begin fix flag focus follow forbid force format forward gather ' +
    'generate give grey group guard handle hash hide highlight ignore implement import ' +
    'improve include increase indent inject inline insert install integrate introduce invert ' +
    'invite isolate join justify keep leave let lighten limit link list load localize log ' +
    'lower lowercase maintain make map mark memoize mention merge migrate minify minimize ' +
    'mock modify move name normalize notify obey offer omit open optimize order paginate ' +
    'parse paste pause permit persist pick pin place preload preserve prevent print produce ' +
    'prompt propose protect provide publish pull put quote raise read rearrange recommend ' +
    'redesign redirect redraw reduce refactor reformat refuse regenerate register reject ' +
    'release reload remember remove rename render reorder repeat replace report require ' +
    'reserve reset resize resolve respect respond restore restrict retry return reuse revert ' +
    'review rewrite rotate round run sanitize save scale schedule scroll search select send ' +
    'separate serialize set ship shorten show shrink sign simplify skip solve sort specify ' +
    'speed split standardize start stay stick stop store stream strip structure style ' +
    'subtract suggest summarize support swap switch sync take tell terminate test throw ' +
    'toggle track translate treat trigger trim try turn tweak underline undo unify unlock ' +
    'update upgrade upload use validate verify wait warn watch widen wrap write ' +
    'aggregate allocate assert authenticate authorize bind broadcast canonicalize clone compile ' +
    'compose consolidate consume decode decouple decrypt defer deliver deny deprecate derive ' +
    'deserialize determine dispatch encapsulate enqueue enrich escalate establish examine ' +
    'finalize harden identify infer inherit initialize inspect instantiate intercept ' +
    'invalidate invoke iterate launch leverage listen manage measure monitor mount navigate ' +
    'normalise optimise orchestrate organize override partition pass perform persist populate ' +
    'predict prepare prioritize prohibit promote prune reconcile recover refresh retain retrieve ' +
    'revise revoke scan simulate subscribe substitute suspend synchronize throttle transform ' +
    'adopt approve bootstrap browse conduct construct demonstrate edit enhance expand ' +
    'facilitate grant incorporate inform polish streamline wire ' +
    'cap mitigate transition traverse truncate tune unsubscribe utilize visualize'
  ).split(' '),
);
/**
 * Returns whether a text is a command: it begins with the base form of a task's verb, or it forbids
 * something.
 */
export function isCommand(text: string): boolean {
  const said = withoutName(plainStart(text))
    .replace(/^[^.!?]{3,200}?,? (?:so|but) please /i, '')
    .replace(circumstance, '')
    .replace(purpose, '')
    .replace(politeness, '');
  if (!/\p{Ll}/u.test(said)) return false;
  if (/^let (?:me|us) know\b/i.test(said)) return false;
  if (forbids.test(said) || limits.test(said) || wishes.test(said)) return true;
  const [verb = '', object] = said.toLowerCase().split(/\s+/, 2);
  if (object === undefined || object === 'of' || isStatement(said, verb)) return false;
  return verbs.has(verb) || isImperative(said);
}

/** Matches words before an article that are no verb in the base form: "During the", "Today a". */
const noVerb =
  /^(?:about|above|across|after|against|all|almost|along|also|although|amid|among|and|another|around|as|assume|at|because|before|behind|below|beneath|beside|besides|between|beyond|both|but|by|can|consider|could|currently|dear|do|does|during|either|even|except|far|for|from|given|half|he|her|here|how|however|if|imagine|in|inside|instead|into|is|it|just|like|likewise|many|maybe|may|merely|might|more|most|much|must|near|neither|nor|not|note|notice|now|of|off|often|on|once|one|only|onto|or|otherwise|our|out|outside|over|part|past|per|perhaps|quite|rather|recall|regarding|remember|say|see|seldom|she|should|since|so|some|soon|still|such|suppose|than|thank|that|then|there|therefore|they|this|though|through|throughout|till|to|today|together|tomorrow|toward|under|underneath|unless|unlike|until|up|upon|via|we|well|what|when|whenever|where|wherever|whereas|whether|which|while|who|why|will|with|within|without|would|yesterday|yet|you)$/i;
/** Matches a word before an article, "its" or code. */
const beforeObject =
  /^([\p{L}-]{2,})(?: (?:all (?:of )?)?(?:the|an?|any|each|every|its|their|these|those) [\p{L}`]| `[^`]+`)/iu;

/** Returns whether a text begins with a verb in the base form and an object: "Reconstruct the list". */
function isImperative(text: string): boolean {
  const [, verb = ''] = beforeObject.exec(text) ?? [];
  return verb !== '' && !noVerb.test(verb) && !/(?:[^s]s|[^e]ed|ing|ly|'s)$|^\p{Lu}{2}/u.test(verb);
}

/** Matches a phrase before a command: "In the header, show the name". */
const circumstance =
  /^(?:when|while|whenever|once|if|in|on|at|for|from|below|above|under|after|before|inside|next to|instead of)\b(?! (?:example|instance|fact|general|practice|theory|short)\b)(?:[^,.;:]|\.(?=\w)){2,60},\s+/i;
/** Matches the purpose of a command. "To install it, run" tells how something is used. */
const purpose =
  /^to (?!be\b)[^,.;:]{2,60},\s+(?!(?:use|run|install|open|click|see|type|press|visit|start|try|follow|go|check)\b)/i;
const politeness =
  /^(?:(?:(?:we|i)(?:['’]d| would)? (?:ask|expect|require) you to|you are to|(?:this is )?(?:a )?(?:feature )?(?:request(?:ing)?|proposal|suggestion) to|(?:the|our|your|my) (?:main |project |only |sole |first )?(?:task|job|goal|mission|objective|aim|challenge|idea|plan)(?: (?:of|for|in) [^,.;:]{1,60}?| (?:here|today|now|this \w+))? (?:is|will be) to(?! (?:evaluate|assess|learn|test|practi[cs]e|understand|give|help|demonstrate|see|find out|determine|get)\b)|so|please|kindly|also|and|then|next|finally|always|only|just|optionally|(?:can|could|would|will) (?:you|we|i)|(?:hey|hi|yes)|let['’]s|be sure to|remember to|to(?= (?:allow|enable|support|provide|display|let|include)\b[^:;]{3,300}$))[,:]?\s+){1,3}/i;
const forbids =
  /^(?:(?:do not|don['’]t|never|under no circumstances)\s+[a-z]|no (?!one\b|rush|hurry|worries|pressure|idea|problem|longer|matter|doubt|need|response|answer|specific|additional|further|previous|[^.,;|()]{2,60}(?<! is| are) (?:required|needed|necessary)(?: (?:for|at|in|as|here|since)\b|\s*[-–—]\s))(?!.*\b(?:is|are|was|were|has|have|had|can|could|will|would|gets?|shows?|happens?|appears?|exists?)\b)[^.]{3,80}[.!]?$)/i;
/** Matches a limit without a verb: "At most 200 words." */
const limits =
  /^(?:at (?:least|most)|(?:no|not) (?:more|less|fewer) than|max(?:imum|\.)?|min(?:imum|\.)?|exactly|between) (?:\S+ ){0,2}?(?:\d|one|two|three|four|five|six|ten)/i;
const wishes =
  /^(?:(?!if|when|because|as|what|that)[\p{L}]+ ){0,2}(?:i|we)(?: also| really)?(?: want| need| expect| imagine|['’]d like| would like) (?!to (?!be able|see|have)|help|your|you to (?:know|tell|attempt|complete|try|solve|take|do)\b)/iu;

/** Returns whether the verb is a noun here: "Use of tabs is rare". "Ensure labels are set" is none. */
function isStatement(text: string, verb: string): boolean {
  if (/^open (?:points?|issues?|questions?|items?|topics?|ends?)\b/i.test(text)) return true;
  const clause = /^(?:ensure|make|check|verify|keep|validate|require|test|let|explain)$/;
  return (
    !clause.test(verb) &&
    /^\S+ (?:\S+ ){0,2}(?:is|are|was|were|has|had|got|gets|wants?)\b/i.test(text)
  );
}

/**
 * Returns a text without an identifier or a bold label before its words: "T004 [US1] Add",
 * "**Release**: Build".
 */
export function withoutName(text: string): string {
  return text
    .replace(/^(?:[A-Z]{1,4}-?)?\d{1,4}(?:\.\d+)*[:.)]?\s+/, '')
    .replace(/^(?:\[[A-Z][A-Z\d.-]{0,20}\]\s*){1,3}/, '')
    .replace(/^[\p{L}][\p{L} -]{0,30}:\s+/u, '');
}

const person =
  '(?:users?|customers?|visitors?|guests?|admin(?:istrator)?s?|operators?|members?|owners?|managers?|developers?|people|anyone|everyone)';
const product =
  '(?:system|app(?:lication)?|service|site|website|page|tool|server|client|api|endpoint|cli|command|program|script|game|bot|library|function|plugin|extension|component|button|form|dialog|menu|front-?end|back-?end|interface|gui|ui|engine|platform|agent|robot|device|software|panel|list|table|screen|window|view|report|output|product)s?';
const capability = new RegExp(
  `\\b${person}\\b(?: [\\w-]+){0,3} (?:can|cannot|will|(?:is|are) able to)\\b|\\b${product}\\b (?:can|cannot|will|never|always|is (?:designed|built|intended|meant) to)\\b`,
  'i',
);
const behaviour = new RegExp(
  `^(?:when(?:ever)?|if|while|once|after|unless|where)\\b[^.;:]{3,300}?(?:,|\\bthen\\b)\\s*(?!(?:we|i|you)\\b)\\S|^(?:the |each |every )?(?:[\\w-]+ )?${product} (?:(?:then|also|always|only|automatically) )?(?!is\\b|was\\b|has\\b|as\\b|does\\b)[a-z]{2,}s\\b`,
  'i',
);

/**
 * Returns whether a sentence says what somebody can do with the result, or how the result behaves.
 */
export function isCapability(sentence: string): boolean {
  const text = assertedText(plainStart(sentence));
  const isOurs = /\b(?:we|i|you) (?:can|will)\b/i.test(text);
  return !isOurs && (isBehaviour(sentence) || universal.test(text) || isAction(text));
}

/** Matches a phrase before what the product does: "Based on the list, the page shows". */
const relation =
  /^(?:at a minimum|based on|beyond|in addition to|besides|depending on|given|using|with|for each|at)\b[^,.;:]{0,60}, /i;

/** Matches what a part of the code does: "`Tide.read` returns the height". */
const ofCode =
  /^(?:the )?`[^`]{2,60}` (?:(?:now|also|then|always|never) )?(?!is |was |has |does )[a-z]{2,}s /;

/** Returns whether a sentence names the product or its users and says what they do or can do. */
function isBehaviour(sentence: string): boolean {
  const text = assertedText(plainStart(sentence)).replace(relation, '');
  return capability.test(text) || behaviour.test(text) || ofCode.test(plainStart(sentence));
}

const userActs = new RegExp(
  `^(?:(?:the|each|every|an?) )?${person} ([a-z]{3,}?)s? (?:(?:the|an?|their|its|which|what|who|all|each|every|only|one|or|and|from|to|with|for|up)\\b|(?!(?:without|about|more|less|time|money|often|always|never)\\b)\\p{Ll}|["\`\\d])`,
  'iu',
);

/** Returns whether a sentence says what users do with the product: "The user logs the tide". */
export function isUse(sentence: string): boolean {
  return plainStart(sentence)
    .split(/[;:]\s|\s[–—]\s/)
    .some(
      (clause) =>
        verbs.has((userActs.exec(clause)?.[1] ?? '').toLowerCase()) || isBehaviour(clause),
    );
}

/** Matches the beginning of a decision or proposal: "We will", "I propose that we". */
const deciding =
  /^(?:(?:in addition|also|so|therefore|instead),? |(?:for|to|in|using|with) [^,.;:]{2,80}, )?(?:(?:i|we)(?: would|['’]d)?(?: (?:therefore|also|\w+ly))? (?:propose|suggest|recommend)(?: to| that we| we)?|i(?: (?:will|would|am going to|plan to)|['’]ll)(?: (?:likely|probably|also|first|then|simply|just|be able to))?|we(?: (?:simply|just|also))?(?: (?:will|would|should)(?: (?:just|also|first|then|\w+ly)){0,2}| are going to| decided to| agreed to|['’]ll)?) /i;

/** Matches what people do who decide nothing: "We think". */
const thinks =
  /^(?:try to|think|believe|hope|know|see|want|like|love|need|expect|feel|guess|wonder|assume)\b/i;

/** Matches a decision that is no proposal: "I will". */
const plans =
  /^(?:[^,.;:]{2,85}, )?(?:i|we)(?:['’]ll| will| plan to| am going to| are going to| decided to)\b/i;

/** Matches what a document proposes: "This proposal replaces the list". */
const proposes =
  /^(?:this|the) (?:rfc|proposal|change|feature|pull request|pr) (?:proposes|suggests|removes|replaces|renames|deprecates|would(?: also)?) [a-z`]/i;

/**
 * Returns whether a text says what is decided: "We will keep jobs in a table". In a section for
 * decisions, "We keep jobs in a table" does too.
 */
export function isDecision(text: string, place: 'anywhere' | 'decisions' = 'anywhere'): boolean {
  const said = plainStart(text);
  if (proposes.test(said)) return true;
  const [start] = deciding.exec(said) ?? [];
  if (start === undefined || (place === 'anywhere' && /(?:^|, )we $/i.test(start))) return false;
  const rest = said
    .slice(start.length)
    .replace(/^be (\w{3,20}?)ing\b/i, (_, verb: string) => baseForm(verb));
  return isCommand(rest) && !thinks.test(rest);
}

/** Returns whether a text says what is proposed: "We propose to keep jobs in a table". */
export function isProposal(text: string): boolean {
  return isDecision(text) && /\b(?:propos|suggest|recommend)/i.test(text.slice(0, 100));
}

/** Returns whether a text says what its author will do: "I will keep jobs in a table". */
export function isPlan(text: string): boolean {
  return plans.test(plainStart(text)) && isDecision(text);
}

/** Returns the base form of a verb without its ending "ing": "creat", "build". */
function baseForm(stem: string): string {
  return verbs.has(`${stem}e`) ? `${stem}e` : stem.replace(/([^aeiou])\1$/, '$1');
}

/** Returns whether a sentence of a design says what its users can do: "You can turn it off". */
export function isOffer(text: string): boolean {
  return /^(?:to [^,.]{3,80}, )?(?:you|users|developers) can(?: now| also| then| simply)? (?!see\b|find\b|imagine\b|think\b|assume\b|say\b|expect\b)[a-z]/i.test(
    plainStart(text),
  );
}

/** Matches a statement about all things of a kind: "Every action writes an entry". */
const universal =
  /^all (?!of )(?:\S+ ){1,5}will (?!be (?:able|happy|fine)\b)\S|^(?:every|each|only) (?!\d|of (?:these|those)\b|year|month|week|day|time|one\b|then\b)(?!.*\b(?:was|were|had|we|i|you)\b)\S+ \S/i;

const anyObject =
  /^([a-z]+)s (?!(?:of|to|in|for|from|on|at|by|per|and|or|are|is|was|were|that|which|who|must|should|shall|can|will|may|have|has|do|as)\b)(?:\p{Ll}|[`"]|\d)/iu;
const namedObject =
  /^([a-z]+)s (?:the|an?|all|each|every|any|only|no|its|one|if|when|with|[`"]|\d)/i;

/**
 * Returns whether a text begins with what the result does: "Returns the list". A cell of a table
 * needs an object with an article, since it may be a name: "Tests run".
 */
export function isAction(text: string, place: 'anywhere' | 'cell' = 'anywhere'): boolean {
  const [, verb = ''] = (place === 'cell' ? namedObject : anyObject).exec(text) ?? [];
  return verbs.has(verb.toLowerCase()) || verbs.has(verb.toLowerCase().replace(/e$/, ''));
}

const stories =
  /^as (?:an?|the) [^.!?]{2,100}?[,\s]\s*(?:i|we) (?:want|need|would like|can|should|must|wish)\b/i;

/** Returns whether a text is a user story: "As a visitor, I want …". */
export function isUserStory(text: string): boolean {
  return stories.test(plainStart(text).replace(/\s+/g, ' '));
}

const wish =
  /\b(?:would|['’]d) be (?:(?:so|really|very|also) )?(?:nice|great|lovely|good|cool|helpful|useful|ideal|better|wonderful|perfect|awesome|fantastic|neat|handy|best)\b|\bwould help if\b|^(?:ideally|preferably|optionally|prefer|if possible|where possible)\b|\bnice to have\b|\bif (?:there is|there['’]s|you have) (?:some |still )?time\b|\b\b(?:but|so|therefore|hence),? (?:i|we)(?: really)? (?:want|need|would like) to\b|(?:i|we)(?:['’]d| would) (?:prefer|love (?!to (?:hear|meet|know)))/i;

/** Returns whether a text wishes for something: "Ideally sorted by room", "A map would be nice". */
export function isWish(text: string): boolean {
  return wish.test(plainStart(text).replace(/^(?:and|but|also) /i, ''));
}
