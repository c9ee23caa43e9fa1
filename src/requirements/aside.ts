import { isCommand, isDecision } from './demand.js';
import { isBinding, plainStart } from './obligation.js';

/** Matches clauses that depend on another: "that was printed twice", "if the file was moved". */
const dependent =
  /\b(?:that|which|who|whose|when(?:ever)?|if|once|after|until|unless|before|where|what|whether|than|because|since|while|as)\b[^,.;:]{0,200}/gi;
const quoted = /`[^`]*`|"[^"\n]{1,80}"|“[^”\n]{1,80}”/g;

const past =
  /\b(?:was|were|wasn['’]t|weren['’]t|had|did|didn['’]t|went|came|took|gave|saw|knew|began|wrote|became|ran|forgot|used to|said|complained|asked us|thought|(?:has|have|must have) (?:(?:always|never|already) )?(?:been|had|known|seen|done|gone|made|said|told|tried|asked)|yesterday|ago|(?<!the )(?:last|next) (?:week|month|year|time|night|spring|summer|autumn|fall|winter|quarter))\b|(?<!\b(?:is|are|be|been|being|gets?|has|have) (?:(?:not|never|also|only|always|then) )?)\b(?!(?:s|n|f|sp|exc|proc|succ)eed\b|embed\b)\w{2,}ed (?:the|an?|our|his|her|their|that|us|me|him|it|this|some|many|all)\b|\b(?:we|i|he|she|they) \w{2,}ed\b/i;
const today =
  /^(?:historically|currently|today|right now|at the moment|so far|until now|now|these days)\b|\b(?:currently|at the moment|so far|until now|right now|recently|during (?:an?|the|our) recent)\b|^(?:\S+ ){1,12}(?:is|are) (?:\w+ly )?(?!(?:being|using|going|missing|during|outgoing|incoming|pending|existing|remaining|running|matching|loading|nothing|anything|something|string)\b)\w{2,}ing [a-z]|^(?:our|the) (?:current|existing|present) (?:\S+ ){1,4}(?:allows?|lacks?|fails?|causes?|relies|rely|suffers?|does(?:n['’]t| not))\b|^(?:(?:our|the) )?(?:current|existing|present) (?:\S+ ){1,4}\w+s\b|^(?:an?|the) (?:working|reference|sample|complete|full|proof[- ]of[- ]concept) [^.]{2,80}? (?:exists?|lives|is available|can be found)\b|\b(?:is|are|has|have|does|do) already\b|\balready (?!.*\bneeds?\b)(?:exists?|has|have|is|are|contains?|supports?|provides?)\b|^(?:our|the) (?:(?:old|previous|former) .{0,60}\b(?:is|has|does|can|needs?|makes?)|predecessor)\b/i;
/** Matches how a part is today in a sentence that says how it shall be: "now shown left should be". */
const changing =
  /\bcurrently (?=\w+(?:ed|en|wn)\b.*\b(?:should|must|shall|needs? to|ha(?:s|ve) to)\b)/gi;
const reports =
  /^(?:\S+ ){0,3}\S+ is (?:still )?an? (?:\w+ly )?(?:(?:commonly|widely)[ -]used|popular|well[- ]known|new|mature)\b|^(?:it|this|\S+) claims to\b|^(?:our )?(?:tests?|testing|measurements?|benchmarks?|experiments?|experience|studies|research|surveys?) (?:ha(?:s|ve) )?(?:also )?(?:shown?|shows|suggests?|proved|confirmed)\b|\b(?:has|have) (?:reported|complained|noticed|requested|discovered)\b|\b(?:says?|said|tells?|told|thinks?|thought|believes?|reports?|complains?|complained|hopes?|feels?|suggested) (?:that|us|me|him|her|them|it|we|he|she|they|you)\b|\b(?:i|we) (?:think|guess|believe|hope|wonder|wish|feel)\b|\bwants to\b|\bpays? (?:for the|within|quarterly|monthly|in advance)\b|^(?:\w+ ){0,2}\w+s (?:(?:often|always|still|never) )?(?:ask for|complain|forget|struggle|hate|waste|spend|repeat)\b/i;
const guesses =
  /\b(?:must|should|may|might|could) have (?:been|had|cost|done|made|gone|run|lost|got|come|taken|seen|hidden|left|sent|known|noticed|\w+ed (?:us|me|him|her|them|it|too))\b|\bshould be an? (?:\w+ly )?(?:small|minor|simple|easy|trivial|quick) (?:change|fix|task|addition|update)\b|\bshould (?:be (?:(?:pretty|fairly|quite|relatively|very|rather) )?(?:aware|fine|easy|straight ?forward|simple|trivial|feasible|possible(?! to\b)|clear|enough|good enough|noted|happy|back|sufficient|beatable)|probably|help)\b|^(?:maybe|perhaps|probably)\b|\b(?:will|would) (?:likely|probably|presumably)\b|\bmay (?:become|be that)\b/i;
const workers =
  /^(?:(?:the|our|all|each|every|any|other) )?(?:\w+ )?(?:teams?|colleagues?|reviewers?|developers?|programmers?|students?|tutors?|teachers? of|participants?|bidders?|agenc(?:y|ies)|contributors?|applicants?|stakeholders?|competitors?|auditors?|judges?|graders?|interviewers?|maintainers?|readers? of (?:this|our))\b/i;
const somebody =
  /^(?:everybody|everyone|somebody|someone|anybody|anyone|nobody|(?:mr|mrs|ms|dr)\.? \p{Lu}\w+)\b.{0,60}\b(?:must|should|has to|needs to|wants?|invites?)\b/iu;
const self =
  /^(?:i(?!\/)|we|my(?! (?:account|profile|orders?|page|list|day|dashboard|settings|bookings?)\b)|me|he|she)\b|^i['’]|^we['’]/i;
const wanting =
  /^(?:i|we)(?:['’](?:d|ll))?(?: (?:also|only|really|just|will|would))* (?:want|need|expect|imagine|like|prefer|require|agreed)\b/i;
const reader =
  /^whether\b|\b(?:what|how) you(?:['’]d| would| built| did| have)\b|^(?:if (?:anything|something|this) is (?:unclear|not clear|ambiguous|missing)|(?:when|if) (?:in doubt|unsure|unclear))\b|^(?:when|once|after|if) you(?:['’]re| are| have| feel)? (?:ready|done|finished|stuck|unsure|completed|(?:an?|any|more|further) questions?)\b|^(?:(?:if|when|once|before|after|until) (?:you|\w+ing)\b.{0,100}, )?you(?:['’](?:ll|d|re))? (?!(?:may|must|can) (?:not|only) (?:use|add|change|import|call|copy|store|write|modify|remove)\b|cannot\b|.{3,80}\bbut (?:no|not|only)\b)/i;
/** Matches words that bind the reader to build something: "You must use", "You are required to add". */
const duty =
  /^you(?:['’](?:re|ll))? (?:(?:must|need to|have to)|(?:would|will) need to|(?:are|will be) (?:required|expected|asked) to) (?=[a-z])/i;
/** Matches words that ask the reader more weakly: "You should use". */
const advice =
  /^(?:(?:in|for|as part of) (?:this|the) [\w-]+,? )?you(?:['’](?:re|ll))?(?: (?:should|shall|will|are to)|(?<=['’]ll))(?: (?:also|then|first))? (?=[a-z])/i;
/** Matches what a reader does who builds nothing: "try the bread", "sign the contract". */
const peopleDo =
  /^(?:not |be |have |try|run .{1,80} to see\b|join|submit|send|present|review|study|practi[cs]e|discuss|upload|explain|sign|read|ask|wait|remember|install|go|see|look|know|feel|come|bring|talk|email|contact|register|attend|get|visit|want|think|understand|learn|spend|fork|clone|share|pay|agree|apply|choose|decide|work (?:alone|together|in (?:pairs|groups|teams)))\b/i;
const about =
  /^(?:(?:not applicable|n\/a|pending review)\b|no (?:\w+ )?(?:guidance|information|details?|matches|results?) (?:was |were )?found\b)|^(?:note(?: that)?|fyi|to me|for (?:more|further|those|details|reference|context|background))\b|^(?:this|the present) (?:document|specification|spec|page|text|readme|chapter|section|proposal|annex|memo|rfc|adr|epic|ticket|issue|description|note|checklist|guide|repo(?:sitory)?|code ?base)\b(?!.{0,200}\b(?:must|shall|should|has to|needs to)\b)|^use this (?:document|file|prompt|spec(?:ification)?|brief|page) (?:as|for|to|when)\b|^see (?:also|above|below|section|chapter|appendix|page|figure|table|details|https?:|[[#§`*]|the (?:docs|documentation|section|spec|readme|guide|wiki|api|file|full)\b)|^as with (?:any|all|every|most)\b|^while (?:there (?:is|are)|this|these|it|we)\b|^here['’]s |^(?:below|above|here),? (?:you(?:['’]ll| can| will) |are |is )|^(?:note that|remember that?|for example|for instance|e\.g\.|as an example|(?:this|these) kinds? of)\b|^(?:an?|the) (?:\w+ ){1,4}(?:has|have) been provided\b/i;
const hopes =
  /^(?:many|most|some|few) (?:users|people|customers|developers|visitors|teams) (?:already |often |do not |don['’]t )?(?:prefer|like|love|want|find|expect|hope|struggle|complain|work|use|rely)\b|^(?:providing|having|offering|adding|supporting|allowing) .{3,80}? (?:improves|helps|makes|increases|gives|reduces|enables)\b|^(?:empower|inspire|delight)\b|^(?:build|grow|establish|increase|drive|foster|gain|attract|become|position)\b.{0,60}\b(?:user base|community|brand|market|revenue|engagement|retention|loyalty|trust|partnerships?|awareness|foundation for|leader)\b|^(?:fewer|less(?! than)|more(?! than)|happier) \p{L}|^(?:learn|find out|understand|see) (?:whether|if|how|why|what)\b|\d ?% of (?:(?:the|our|all|active|new) ){0,2}(?:users|customers|visitors|orders|people|shoppers|teams|families|members|readers|sales)\b/iu;
const later =
  /^(?:explicitly |deliberately )?not (?:in|part of) (?:the |this |an? )?(?:mvp|scope|version|release|v\d)\b|(?<!\b(?:minutes?|hours?|days?|weeks?|months?|years?) )\bin (?:the|a) (?:near |later )?future\b|^(?:\w+ ){1,2}later\b|\b(?:is|are|remains?) (?:\w+ly )?(?:deferred|postponed|not yet (?:defined|decided|planned)|not (?:defined|decided|planned) yet|not \w+ed yet)\b|\bcan be (?:added|explored|done) (?:later|after)\b|^(?:detailed|full|exact|further|complete)\b.{0,120}\b(?:lives?|(?:is|are) (?:defined|described|documented|listed)|can be found) in\b/i;
const days =
  /\b(?:until|till|by|before|due(?: on)?) (?:(?:next|the end of the|the) )?(?:\d{1,2}\.? ?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|(?:jan|febr)uary|march|april|june|july|august|(?:sept|nov|dec)ember|october|(?:mon|tues|wednes|thurs|fri|satur|sun)day|week\b|month\b|easter|christmas|summer|holidays)|[:–-] \d{1,2}\.? (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b/i;
const grading =
  /\(of which .{0,60}\bworth \d|\b(?:time|deadline) (?:limit )?(?:on|for) this (?:task|test|assignment|challenge|exercise|project)\b|\bget(?:s)? (?:no|zero|full|half) (?:points|marks|credit)\b|\b(?:not|will) (?:be |being )?(?:assessed|graded|judged|marked down|penali[sz]ed|evaluated)\b/i;
/** Matches what the builder does, and not the result: "Begin implementation". */
const doing =
  /^show me\b|^i (?:have |['’]ve )?(?:searched|checked|read|looked|verified|confirmed|agree|understand)\b|^(?:begin|start) (?:the )?(?:implementation|implementing|coding|building|with (?:phase|step|task|milestone)|by (?:reading|reviewing))\b|^commit (?:after|each|every|often|early|as|(?:all )?your|all changes)\b|^(?:analy[sz]e|review|study|explore|read|examine|inspect) (?:the |this |our )?(?:(?:existing|current|provided|given|whole|entire) )?(?:code ?base|code|repo(?:sitory)?)\b|^(?:use|follow|practi[cs]e) (?:tdd|test-driven development)\b|^(?:[^:]{0,80}:\W{0,4})?(?:submit|push|upload|hand in)\b.{0,100}\b(?:by|before|until)\b|^(?:please )?(?:submit|e-?mail|send|upload|push|share)\b.*\b(?:links?|repo(?:sitory)?|assignment|solution|your (?:work|code)|pull request)\b|^(?:create|set up|open|get|make|fork|clone|use|initiali[sz]e)\b(?: \S+){0,4} (?:git(?:hub|lab)?|bitbucket|heroku|vercel|netlify) (?:accounts?|repo(?:sitory)?|repositories|project|branch)\b|^(?:use|write|make|keep|have)\b[^.;:]{0,40}\bcommit(?:s|(?: messages?| history))\b|^(?:(?:do not|don['’]t|never) )?(?:merge|prepare|open|raise|submit|squash) (?:(?:the|an?|your|each|every|all) )?(?:PRs?|pull requests?|merge requests?)\b|^(?:re-?)?(?:run|execute) [^.;:]{1,80} to (?:verify|ensure|confirm|check|make sure|see|initiali[sz]e)\b|^`?(?:clone|fork|pull|fetch|check ?out|switch to)`? (?:the|all|your|this)\b[^.;:]{0,40}\b(?:repo(?:sitory)?|branch(?:es)?|changes)\b|^treat this\b|\bconsider (?:looking|reading|reviewing|checking|exploring|asking)\b|^(?:copy|paste)\b.{0,60}\b(?:prompts?|below|block|into(?! `?[\w/-]{1,60}\.\w))\b/i;
/** Matches what people must do: "Your team must meet each week". */
const teamwork =
  /^(?:your|the|each|every|all)(?: of your)? (?:\w+ )?(?:teams?|groups?|members?|students?|pairs?)\b(?: \w+){0,2} (?:must|should|shall|needs? to|ha(?:s|ve) to)(?: also)? (?:meet|plan|have|work|submit|attend|present|choose|decide|communicate|register|form|agree|schedule|read|study)\b/i;
const greeting =
  /^(?:please )?(?:read|watch|check out) my\b|^(?:thanks?|thank you|thx|cc|hi|hello|hey|dear|sorry|cheers|best|regards|kind regards|good luck|have fun|looking forward|please (?:test|review|comment|note|contact|ask|read)\b|that['’]s (?:it|all)|questions?)\b/i;

/** Signs of people and guesses, which count even with "must": "You must try it". */
const always = [
  greeting,
  doing,
  teamwork,
  guesses,
  somebody,
  reader,
  /\b(?:Frau|Herr|Mr|Mrs|Ms|Dr|Prof)\b\.? \p{Lu}/u,
];
const usually = [about, reports, hopes, later, days, workers, grading];

/** Matches a clause that asks after one that explains: "It works, but please add". */
const asksAfterAll =
  / (?:so|but) please [a-z]|\b(?:so|but),? (?:i|we)(?: really)? (?:want|need|would like) to\b/i;
/** Matches a remark that binds: "Note that every column must". */
const binding =
  /^(?:please )?note that (?!you\b|we\b|i\b)[^.]{0,200}\b(?:must|shall|should|shouldn['’]t|mustn['’]t|(?:is|are) (?:required|(?:not|never) (?:allowed|permitted)|forbidden|prohibited))\b/i;

/**
 * Returns whether a sentence is not about the result: it tells what was or is, what somebody said or
 * guesses, who works, or what the document is. A sentence that binds the result is about it.
 */
export function isAside(sentence: string): boolean {
  const text = plainStart(sentence.slice(0, 600))
    .replace(/^(?:p\.?s\.?|btw|by the way|also|and|but|so|note|notes)[:,]? +/i, '')
    .replace(quoted, '"');
  if (asksAfterAll.test(text) || binding.test(text)) return false;
  if (bindsReader(text)) return false;
  if (isDecision(text)) return false;
  if (always.some((sign) => sign.test(text))) return true;
  if (isBinding(text, false)) return false;
  if (today.test(text.replace(changing, ' ').replace(dependent, ' '))) return true;
  if (usually.some((sign) => sign.test(text))) return true;
  if (wanting.test(text)) return false;
  return self.test(text) || past.test(text.replace(dependent, ' '));
}

/** Returns whether an item is about the work and not about the result: "Submit a repository". */
export function isDoing(item: string): boolean {
  return doing.test(plainStart(item.slice(0, 600)));
}

/**
 * Returns whether an item of a list is not about the result, although the items around it are: it
 * is about people, their work or today.
 */
export function isAsideInList(item: string): boolean {
  const text = plainStart(item.slice(0, 600)).replace(quoted, '"');
  const signs = [...always, today, days, grading, self, about];
  return signs.some((sign) => sign.test(text)) && isAside(item);
}

/** Returns whether a sentence asks its reader for a part of the result: "You must use the database". */
function bindsReader(text: string): boolean {
  const bound = text.replace(duty, '');
  if (bound !== text) return !peopleDo.test(bound);
  return taskOfReader(text) !== undefined;
}

/** Matches what somebody will be making: "be adding a list". */
const making =
  /^be (?:add|build|creat|writ|implement|develop|design|extend|chang|mak|improv|rewrit)ing \S/i;

/** Returns the command in a sentence that tells its reader what to do: "You will add a list". */
export function taskOfReader(text: string): string | undefined {
  const told = text.replace(advice, '');
  if (told !== text && making.test(told)) return told.slice('be '.length);
  const asks = told !== text && !peopleDo.test(told) && isCommand(told);
  return asks ? told : undefined;
}
