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
    'adapt aggregate alert allocate amend anonymise anonymize approve arrange assess augment avert balance benchmark bootstrap bring broadcast browse buffer carry categorise categorize cater classify codify coerce collaborate comply compose conform conserve consume convey coordinate curate cycle deactivate debug dedicate deduct deduplicate defer delegate demote detach diagnose differentiate digitise digitize dismiss dispatch dispose document double downgrade drag drive earn ease elicit emphasise emphasize employ emulate encapsulate encourage enlarge enqueue enrich enrol enroll equip escalate exchange expire explore express facilitate favor favour feed fit flatten foster fulfil fulfill gather govern grow harden harness help hook illustrate impose incorporate index infer influence inspire intercept internationalise internationalize interpret iterate join judge justify lead learn leverage lift locate lose materialise materialize meet memoise memoize message meter minify mitigate multiply mute narrow negotiate nudge obey offload onboard operate opt orchestrate outline own pair pan partition patch pay penalise penalize personalise personalize pilot ping pinpoint plug precompute prefetch preload press pretend price probe proceed profile programme project promote propose provision prune purchase pursue quantify quarantine quote rank reach react realise realize reassign rebase recalibrate recall recommend reconcile recover recycle redeem redesign redo reflect reformat regenerate regulate reinforce relate relax relay rely remediate repair rephrase replicate reposition reproduce repurpose reschedule research reshape reskin retest rethink retrain reveal reward rewire roll sample sandbox satisfy scan score script seal segment sell sequence setup shard shift showcase shuffle simulate sit slice snapshot solve spawn speed spend spin stage stand stay step strengthen study substitute succeed supersede supplement surround survey suspend sustain swipe tailor tally tap template tokenise tokenize tolerate trace trade train transcribe transition traverse tune type uncheck underline understand undo uninstall unlock unsubscribe vary vendor virtualise virtualize visualise visualize vote walk want weigh welcome whitelist win withdraw zip zoom ' +
    'verify version view visit wait warn watch wire work wrap write'
  ).split(' '),
);
const nouns =
  /^(?:list|test|design|plan|report|log|order|group|issue|link|name|note|time|version|view|work|rate|state|support|release|target|share|process|request|review|schema|search|set|sign|mail|label|map|check|cap|scope|style|structure|point|post|pin|base|gate|prompt|output|record|queue|stream|surface|import|export|format|default|document|default|free|open|start|end|back|place|position|prefix|present|reply|reset|result|return|scale|seed|sync|tag|track|transfer|trigger|turn|update|upgrade|use|visit|watch|change|call|build|display|focus|load|lock|match|measure|monitor|move|offer|package|query|run|sort|cover|estimate|guide|host|limit|loop|mock|play|read|filter|hash|flag|fix|hold|alert|balance|benchmark|browse|buffer|cycle|debug|double|drag|drive|ease|exchange|express|feed|fit|harness|help|hook|index|influence|judge|lead|lift|message|meter|mute|onboard|outline|own|pair|pan|patch|pay|pilot|press|price|probe|profile|programme|project|purchase|quarantine|quote|rank|reach|research|reward|roll|sample|sandbox|scan|score|script|seal|segment|sequence|setup|shard|shift|showcase|slice|snapshot|speed|spin|stage|stand|stay|step|study|survey|swipe|tap|template|trace|trade|train|transition|type|vendor|vote|walk|want|whitelist|win|zip|zoom|recall|ping|learn|batch|block|cache|clone|close|copy|count|cut|draw|drop|edit|exit|fail|fall|guard|bundle)$/;

/** "No cookies, no tracking." */
const nothingOf =
  /^no (?!one\b|problems?\b|worries\b|idea\b|doubt\b|longer\b|matter\b|wonder\b|changes?\b)[\p{L}-]+(?:(?:,| and| or|, and|, or) (?:no )?[\p{L}-]+)+[.!]?$/iu;

/** Whether a sentence tells somebody to do something: it begins with a verb in its base form, or forbids one. */
export function isImperative(sentence: string): boolean {
  const words = unmarked(sentence)
    .replace(/^\p{L}+:\s+/u, '')
    .replace(
      /^(?:please|also|then|next|finally|first|optionally|always|only|additionally|lastly|now)[,:]?\s+/i,
      '',
    )
    .replace(
      /^(?:\d+(?:\.\d+)*[.):]?\s+|[A-Z]{1,4}-?\d{1,4}[:.)]?\s+|\[[A-Z]{1,4}\d{0,3}\]\s*){1,4}/,
      '',
    )
    .match(/^[\p{L}][\p{L}-]*|(?<=\s)\S+/gu);
  const [first = '', second = ''] = words ?? [];
  const verb = first.toLowerCase();
  if (/^(?:let (?:me|us) know|welcome to)\b/i.test(unmarked(sentence))) return false;
  if (
    /^(?:do not|don['’]t|never|no longer)\s+[a-z]/i.test(
      unmarked(sentence).replace(/^\p{L}+:\s+/u, ''),
    ) ||
    nothingOf.test(unmarked(sentence))
  )
    return true;
  if (!verbs.has(verb)) return false;
  if (/^(?:please|always)[,:]?\s/i.test(unmarked(sentence))) return true;
  if (
    /[.!][*_)]*$/.test(sentence) &&
    !/\b(?:is|are|was|were|has|have|had|will|can|could|does|do|did|must|should|may)\b/i.test(
      sentence,
    )
  )
    return true;
  // "List views are slow", "Test results": a noun, unless an object follows it as it follows a verb.
  return (
    !nouns.test(verb) ||
    /^(?:an?|the|all|any|each|every|both|one|two|three|this|that|these|those|its|their|our|your|new|it|them|whether|that|if|for|from|to|with|on|in|out|up|down|only|no|existing|`.*|[*"'“(].*|[\p{Lu}\p{N}].*)$/u.test(
      second,
    )
  );
}
