import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

const stored = 'keys';
const open = '[data-card][data-done=false]';

/** A switch turns them off. */
export function Keys(): JSX.Element {
  const [on, setOn] = useState(() => localStorage.getItem(stored) !== 'off');
  useEffect(() => {
    if (on) addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, [on]);
  const turn = (value: boolean) => {
    localStorage.setItem(stored, value ? 'on' : 'off');
    setOn(value);
  };
  return (
    <p class="keys small soft">
      <label>
        <input
          type="checkbox"
          checked={on}
          onChange={(event) => turn(event.currentTarget.checked)}
        />{' '}
        Keys
      </label>{' '}
      <kbd>j</kbd> <kbd>k</kbd> next, previous <kbd>y</kbd> yes <kbd>n</kbd> no <kbd>c</kbd> cannot
      tell <kbd>Enter</kbd> send <kbd>u</kbd> undo <kbd>Esc</kbd> leaves a text field
    </p>
  );
}

function all(selector: string, within: ParentNode = document): HTMLElement[] {
  return [...within.querySelectorAll<HTMLElement>(selector)];
}

function pressed(event: KeyboardEvent): void {
  const { target, key, ctrlKey, metaKey, altKey } = event;
  if (ctrlKey || metaKey || altKey || !(target instanceof HTMLElement)) return;
  const card = target.closest<HTMLElement>('[data-card]');
  if (target.matches('textarea, select, input:not([type=checkbox], [type=radio])')) {
    if (key === 'Escape') (card ?? target).focus();
    return;
  }
  const act = actOf(key, target, card);
  if (act === undefined) return;
  act();
  event.preventDefault();
}

function actOf(key: string, target: HTMLElement, card: HTMLElement | null) {
  const cards = all(open);
  const at = card ? cards.indexOf(card) : -1;
  const here = cards[Math.max(0, at)];
  const to = (index: number) => () => cards[index]?.focus();
  if (key === 'j') return to(at + 1);
  if (key === 'k') return to(at - 1);
  if (key === 'u') return () => all('[data-undo]').at(-1)?.click();
  if (key === 'Enter' && target === here)
    return () => all('[data-send]:not(:disabled)', here)[0]?.click();
  if (!/^[ync]$/.test(key) || here === undefined) return undefined;
  return () => answer(here, target, key);
}

/** The question that has the focus, else the first open one; goes to the next. */
function answer(card: HTMLElement, target: HTMLElement, key: string): void {
  const musts = all('[data-must=true]', card);
  const isOpen = (one: HTMLElement) => !one.querySelector('[aria-pressed=true]');
  const question = target.closest<HTMLElement>('.ask') ?? musts.find(isOpen) ?? musts[0] ?? card;
  const next = musts.slice(musts.indexOf(question) + 1).find(isOpen);
  all(`[data-key=${key}]`, question)[0]?.click();
  // the text field of a no takes the focus by itself
  if (key === 'n') return;
  const focus = (one = musts.find(isOpen)) =>
    all(one ? '[data-key]' : '[data-send]:not(:disabled)', one ?? card)[0]?.focus();
  // at once: another key may come before the card is drawn again
  if (next) focus(next);
  else setTimeout(focus);
}
