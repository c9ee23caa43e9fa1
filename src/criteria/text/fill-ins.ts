/** What a writer puts in brackets so that somebody fills it in: the last word of such a place. */
const nouns =
  '|name|names|surname|company|organisation|organization|employer|department|team|role|position|title|job|date|day|month|year|time|deadline|address|street|city|town|state|country|zip|postcode|phone|telephone|mobile|fax|email|e-mail|website|url|link|number|id|amount|price|cost|total|sum|percentage|currency|product|service|brand|client|customer|recipient|sender|signature|location|venue|reason|topic|subject|';
/** Words that may stand before it. */
const qualifiers =
  '|your|my|our|their|the|a|an|full|first|last|middle|family|given|legal|contact|company|client|customer|recipient|sender|employee|employer|manager|product|project|service|order|invoice|account|reference|tracking|ticket|phone|telephone|mobile|email|start|end|due|current|job|event|business|street|delivery|shipping|billing|insert|add|enter|specific|relevant|hiring|school|university|team|department|website|support|meeting|purchase|payment|previous|new|today|event|city|contract|policy|case|member|booking|flight|candidate|patient|student|owner|vendor|supplier|';

/**
 * Marks of places that somebody meant to fill in: `Dear [Name]`, `your order {order number}`,
 * `the sum of ___ is due`. A link, a footnote, a citation, a checkbox, a path, a field of a form
 * and a template with doubled braces are none. Single words such as `number` do not count in
 * brackets, since a manual names a type or an argument so. The words inside are looked up, because
 * a pattern of all of them would take longer to compile than a page takes to read.
 */
const places: readonly RegExp[] = [
  /(?<![\]\w!\\/=.$[-])\[(?!(?:number|id|url|link|time)\])([a-z'_ -]+)\](?![([:=\w{/])/gi,
  /(?<![\w$#%@{/.=:&?-])\{(?=[^{}]{1,60}[ _-])([a-z'_ -]+)\}(?![\w}/=(])/gi,
  /(?<=\b(?:dear|hi|hello|hey|sincerely|regards|yours|thanks),?[ \t\n]{1,2})(?:<([a-z'_ -]+)>|\{([a-z'_ -]+)\}(?!\}))/gi,
  /<(?:your|insert|enter)[ _-][a-z _-]{2,40}>/gi,
  /(?<=[a-z,] )_{3,40}(?= [a-z]|[.,;!?](?:\s|$))/g,
];

/** Returns the matches of places in a text that somebody meant to fill in. */
export function fillIns(text: string): RegExpExecArray[] {
  const found = places.flatMap((place) => [...text.matchAll(place)]);
  return found.filter(({ 1: bracketed, 2: words = bracketed }) => !words || namesPlace(words));
}

function namesPlace(text: string): boolean {
  const words = text.toLowerCase().split(/(?!-mail$)[ _-]/);
  const noun = words.pop() ?? '';
  const isKnown = (word: string): boolean => qualifiers.includes(`|${word.replace(/'s$/, '')}|`);
  return nouns.includes(`|${noun}|`) && words.length <= 3 && words.every(isKnown);
}

const unseen = /<(script|style|template|textarea|pre|code)\b/gi;
const tagStart = /<[a-z/!]/gi;
const longestTag = 5002;

/** The text of a page at its places: tags, scripts, styles and code are blank. In linear time. */
export function pageText(source: string): string {
  const parts: string[] = [];
  let at = 0;
  for (const { 0: start, 1: name = '', index } of source.matchAll(unseen)) {
    if (index < at) continue;
    const close = new RegExp(`</${name}`, 'gi');
    close.lastIndex = index + start.length;
    const end = close.exec(source)?.index ?? source.length;
    parts.push(source.slice(at, index), ' '.repeat(end - index));
    at = end;
  }
  return withoutTags(parts.join('') + source.slice(at));
}

function withoutTags(text: string): string {
  const parts: string[] = [];
  let at = 0;
  let close = -1;
  for (const { index } of text.matchAll(tagStart)) {
    if (index < at) continue;
    if (close < index) close = text.indexOf('>', index);
    if (close === -1) break;
    if (close - index > longestTag) continue;
    parts.push(text.slice(at, index), ' '.repeat(close + 1 - index));
    at = close + 1;
  }
  return parts.join('') + text.slice(at);
}
