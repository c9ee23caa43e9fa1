import { type ComponentChildren, Fragment, type JSX } from 'preact';
import { useState } from 'preact/hooks';
import { visible } from '../../shown-text.js';
import type { ModelPassage } from '../report-model.js';

export function Prose({ children }: { readonly children: string }): JSX.Element {
  return <span class="prose">{visible(children)}</span>;
}

/** Keeps the spaces. */
export function Code({ children }: { readonly children: string }): JSX.Element {
  return <code>{visible(children)}</code>;
}

const marks = { '': '', hit: '', del: '- ', add: '+ ' };

export function Passage({ passage }: { readonly passage: ModelPassage }): JSX.Element {
  const { file, place, lines } = passage;
  return (
    <>
      <p class="cap">{visible(`${file || 'The text'}${place && `, ${place}`}`)}</p>
      <pre class="src">
        {lines.map(({ number, text, look }, index) => (
          <span key={index} class={look}>
            <i>{number}</i>
            <code class="quote">{visible(marks[look] + text)}</code>
          </span>
        ))}
      </pre>
    </>
  );
}

export const reachable = { tabIndex: 0 } as const;

interface TableRow {
  readonly key: string | number;
  readonly cells: readonly (ComponentChildren | JSX.Element)[];
  readonly look?: string | undefined;
  /** What a link leads to. */
  readonly id?: string | undefined;
}

/** It is a list on a narrow screen. */
export function Table(props: {
  readonly label: string;
  readonly heads: readonly string[];
  readonly rows: readonly TableRow[];
}): JSX.Element {
  return (
    <section class="panel boxed" {...reachable} aria-label={`${props.label}, table`}>
      <table>
        <thead>
          <tr>
            {props.heads.map((head) => (
              <th scope="col" key={head}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {props.rows.map(({ key, cells: [head, ...cells], look, id }) => (
            <tr key={key} class={look} id={id} tabIndex={id === undefined ? undefined : -1}>
              <th scope="row">{head}</th>
              {cells.map((cell, index) => (
                <td key={index} data-l={props.heads[index + 1]}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Names that stand for nothing are left out. */
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
      <h2 id={props.id} tabIndex={-1}>
        {props.title}
      </h2>
      {props.children}
    </section>
  );
}

export function Copy({ text }: { readonly text: string }): JSX.Element {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard?.writeText(text).catch(() => undefined);
    setCopied(true);
  };
  return (
    <button type="button" onClick={() => void copy()} aria-label={`Copy: ${visible(text)}`}>
      {copied ? 'Copied' : 'Copy'}
    </button>
  );
}

type Look = 'ok' | 'warn' | 'bad' | 'gone';

/** The word alone tells its meaning too. */
export function Tag({ look, children }: { readonly look: Look; readonly children: string }) {
  return <span class={`tag is-${look}`}>{visible(children)}</span>;
}

export function lookOf(severity: string): Look {
  return severity === 'minor' ? 'gone' : 'bad';
}

/** Shows the two largest units. */
export function durationText(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.floor(seconds % 60)} s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h ${minutes % 60} min`;
  return `${Math.floor(hours / 24)} days ${hours % 24} h`;
}

export function plural(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}

/** Shows the first items, and more on demand. */
export function useMost(all: number, step: number) {
  const [most, setMost] = useState(step);
  return {
    most,
    button: all > most && (
      <p>
        <button type="button" onClick={() => setMost(most + step)}>
          Show {Math.min(step, all - most)} more
        </button>
      </p>
    ),
  };
}
