import { unmarked } from './modality.js';

const verbs = new Set(
  (
    'accept accompany achieve add adjust adopt align allow analyse analyze annotate announce append apply archive ask assert assign attach audit authenticate authorise authorize automate avoid ' +
    'back backfill backport base batch begin block bind boot build bump bundle cache calculate call cancel cap capture centralise centralize change check choose clarify clean clear clone close collapse collect combine compare ' +
    'compile compress compute conduct configure confirm connect consider consolidate construct contain convert copy correct count cover create customise customize cut debounce declare decode decouple decrease default define delete deliver ' +
    'demonstrate deny deploy deprecate derive describe design detect determine develop disable disallow discard display distribute document download draw drop duplicate edit eliminate embed emit enable encode encrypt end enforce enhance ensure enter ' +
    'escape establish estimate evaluate exclude execute exit expand explain expose export extend extract fail fall fetch fill filter finalise finalize find finish fix flag flush focus follow forbid force format forward free gate generate get give grant ' +
    'group guarantee guard guide handle hash have hide highlight hold honor honour host identify ignore implement import improve include increase indicate inform inherit initialise initialize inject inline insert inspect install instrument integrate ' +
    'introduce invalidate investigate invite invoke isolate issue keep label launch lazy-load leave let limit link lint list listen load localise localize lock log loop lower mail maintain make manage map mark mask match measure merge migrate minimise minimize mirror ' +
    'mock modify monitor mount move name navigate normalise normalize note notify obtain offer omit open optimise optimize order organise organize output override package paginate parse pass perform permit persist pick pin place plan play point poll populate position post prefer ' +
    'prefix prepare present preserve prevent print prioritise prioritize process produce prohibit prompt propagate protect prove provide publish pull purge push put query queue raise randomise rate read rebuild recalculate receive record redirect redact reduce refactor refer ' +
    'refresh refuse register reject release reload remember remind remove rename render reorder repeat replace reply report request require reserve reset resize resolve respect respond restart restore restrict restructure resume retain retire retrieve retry return reuse revert review revise revoke rewrite ' +
    'rotate round route run sanitise sanitize save scaffold scale schedule scope scroll search secure seed select send separate serialise serialize serve set share ship show shorten shut sign simplify skip sort specify split standardise start state stop store stream strip structure style submit ' +
    'subscribe suggest summarise summarize supply support suppress surface swap switch sync synchronise synchronize tag take target teach tell terminate test throttle throw time toggle track transfer transform translate treat trigger trim truncate try turn tweak unify update upgrade upload use utilise utilize validate ' +
    'verify version view visit wait warn watch wire work wrap write'
  ).split(' '),
);
const nouns =
  /^(?:list|test|design|plan|report|log|order|group|issue|link|name|note|time|version|view|work|rate|state|support|release|target|share|process|request|review|schema|search|set|sign|mail|label|map|check|cap|scope|style|structure|point|post|pin|base|gate|prompt|output|record|queue|stream|surface|import|export|format|default|document|default|free|open|start|end|back|place|position|prefix|present|reply|reset|result|return|scale|seed|sync|tag|track|transfer|trigger|turn|update|upgrade|use|visit|watch|change|call|build|display|focus|load|lock|match|measure|monitor|move|offer|package|query|run|sort|cover|estimate|guide|host|limit|loop|mock|play|read|filter|hash|flag|fix|hold|batch|block|cache|clone|close|copy|count|cut|draw|drop|edit|exit|fail|fall|guard|bundle)$/;

/** "No cookies, no tracking." */
const nothingOf = /^no (?!one\b|problems?\b|worries\b|idea\b|doubt\b|longer\b|matter\b|wonder\b|changes?\b)[\p{L}-]+(?:(?:,| and| or|, and|, or) (?:no )?[\p{L}-]+)+[.!]?$/iu;

/** Whether a sentence tells somebody to do something: it begins with a verb in its base form, or forbids one. */
export function isImperative(sentence: string): boolean {
  const words = unmarked(sentence)
    .replace(/^\p{L}+:\s+/u, '')
    .replace(/^(?:please|also|then|next|finally|first|optionally|always|only|additionally|lastly|now)[,:]?\s+/i, '')
    .replace(/^(?:\d+(?:\.\d+)*[.):]?\s+|[A-Z]{1,4}-?\d{1,4}[:.)]?\s+|\[[A-Z]{1,4}\d{0,3}\]\s*){1,4}/, '')
    .match(/^[\p{L}][\p{L}-]*|(?<=\s)\S+/gu);
  const [first = '', second = ''] = words ?? [];
  const verb = first.toLowerCase();
  if (/^let (?:me|us) know\b/i.test(unmarked(sentence))) return false;
  if (/^(?:do not|don['’]t|never|no longer)\s+[a-z]/i.test(unmarked(sentence)) || nothingOf.test(unmarked(sentence))) return true;
  if (!verbs.has(verb)) return false;
  if (/[.!][*_)]*$/.test(sentence) && !/\b(?:is|are|was|were|has|have|had|will|can|could|does|do|did|must|should|may)\b/i.test(sentence)) return true;
  // "List views are slow", "Test results": a noun, unless an object follows it as it follows a verb.
  return (
    !nouns.test(verb) ||
    /^(?:an?|the|all|any|each|every|both|one|two|three|this|that|these|those|its|their|our|your|new|it|them|whether|that|if|for|from|to|with|on|in|out|up|down|only|no|existing|`.*|[*"'“(].*|[\p{Lu}\p{N}].*)$/u.test(
      second,
    )
  );
}
