import { type ComponentChildren, Fragment, type JSX } from 'preact';
import { useState } from 'preact/hooks';
import { visible } from '../visible.js';

export function Prose({ children }: { readonly children: string }): JSX.Element {
  return <span class="prose">{visible(children)}</span>;
}

/** Text of a file, with its spaces. */
export function Code({ children }: { readonly children: string }): JSX.Element {
  return <code>{visible(children)}</code>;
}

/** Makes a box that scrolls reachable by key. */
export const reachable = { tabIndex: 0 } as const;

/** A table that scrolls by itself if it is too wide. */
export function Table(props: {
  readonly label: string;
  readonly heads: readonly string[];
  /** What the table shows, for its style. */
  readonly look?: 'diff' | 'judges' | 'runs';
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <section class="scroll" {...reachable} aria-label={`${props.label}, table`}>
      <table class={props.look}>
        <thead>
          <tr>
            {props.heads.map((head) => (
              <th scope="col" key={head}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{props.children}</tbody>
      </table>
    </section>
  );
}

/** Returns a row of a table: its head, then its cells. */
export function row(
  key: string | number,
  head: ComponentChildren,
  ...cells: readonly ComponentChildren[]
): JSX.Element {
  return (
    <tr key={key}>
      <th scope="row">{head}</th>
      {cells.map((cell, index) => (
        <td key={index}>{cell}</td>
      ))}
    </tr>
  );
}

/** Names with what they stand for; those that stand for nothing are left out. */
export function Facts(props: {
  readonly facts: readonly (readonly [string, ComponentChildren])[];
}): JSX.Element {
  return (
    <dl class="facts">
      {props.facts.map(
        ([name, fact]) =>
          fact !== undefined && (
            <Fragment key={name}>
              <dt>{name}</dt>
              <dd>{fact}</dd>
            </Fragment>
          ),
      )}
    </dl>
  );
}

export function Section(props: {
  readonly id: string;
  readonly title: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <section aria-labelledby={props.id}>
      <h2 id={props.id}>{props.title}</h2>
      {props.children}
    </section>
  );
}

export function Command({ children }: { readonly children: string }): JSX.Element {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard?.writeText(children).catch(() => undefined);
    setCopied(true);
  };
  return (
    <p class="command">
      <code>{visible(children)}</code>
      <button type="button" onClick={() => void copy()}>
        {copied ? 'Copied' : 'Copy'}
        <span class="hidden"> the command {visible(children)}</span>
      </button>
    </p>
  );
}

/** A word with the colour of its meaning; the word alone tells it too. */
export function Chip({ kind, children }: { readonly kind: string; readonly children: string }) {
  return <span class={`chip is-${kind.replace(/[^a-z]/g, '')}`}>{children}</span>;
}

/** Returns a duration in the two largest units. */
export function durationText(ms: number | undefined): string {
  if (ms === undefined) return 'unknown';
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.floor(seconds % 60)} s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h ${minutes % 60} min`;
  return `${Math.floor(hours / 24)} days ${hours % 24} h`;
}

/** Returns a count with its noun: `1 gap`, `2 gaps`. */
export function plural(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
