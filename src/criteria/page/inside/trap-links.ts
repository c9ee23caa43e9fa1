import type { PageTools } from './page-tools.js';

/** Puts a link before and one after everything. It runs inside the page. */
export function addTrapLinks(tools: PageTools): void {
  const link = (text: string): HTMLAnchorElement => {
    const made = document.createElement('a');
    made.href = '#';
    made.textContent = text;
    return made;
  };
  const [first, last] = [link('first'), link('last')];
  document.documentElement.insertBefore(first, document.body);
  document.documentElement.append(last);
  tools.kept.splice(0, tools.kept.length, first, last);
}

/** Returns the number of the link with the focus, else -1. It runs inside the page. */
export function focusedLink(tools: PageTools): number {
  const element = tools.focused();
  return element === null ? -1 : tools.kept.indexOf(element);
}

/** What a page says about keys that lead on. */
export interface NamedKeys {
  /** Keys as the browser names them, such as `Control+m`. */
  readonly keys: readonly string[];
  /** Whether it speaks of keys or of help at all. */
  readonly speaks: boolean;
}

/** Returns what the page says about keys that lead on. It runs inside the page. */
export function namedKeys(_tools: PageTools): NamedKeys {
  const text = document.body.textContent ?? '';
  const keys = new Set<string>();
  for (const { 1: first = '', 2: second = '' } of text.matchAll(
    /\b(ctrl|control|alt|shift)\s?\+\s?([a-z]|f\d{1,2}|esc(?:ape)?|enter)\b/gi,
  ))
    keys.add(
      `${/^c/i.test(first) ? 'Control' : first}+${second.length === 1 ? second.toLowerCase() : second}`,
    );
  if (/\besc(?:ape)?\b/i.test(text)) keys.add('Escape');
  return {
    keys: [...keys].slice(0, 3).map((key) => key.replace(/\besc(?:ape)?$/i, 'Escape')),
    speaks: keys.size > 0 || /\b(?:keyboard|keys?|press|shortcuts?|help|how to)\b/i.test(text),
  };
}

/** Resolves when short timers of the page have run. It runs inside the page. */
export function shortTimers(_tools: PageTools): Promise<boolean> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(true), 30);
  });
}
