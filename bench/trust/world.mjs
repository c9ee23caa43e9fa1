// The world of the simulation: what drafts are truly like, and what a fixer does to them. Every draw depends on the seed and on
// the names of what is drawn alone, so that contenders meet the same tasks and the same drafts.

import { regimes } from './regimes.mjs';

const severities = { c: 'critical', m: 'major', n: 'minor' };
const lists = new Map();

/** The items of a checklist, the same list for the same regime. */
export function itemsOf({ items } = regimes.mid) {
  const known = lists.get(items);
  if (known !== undefined) return known;
  const list = Object.entries(severities).flatMap(([letter, severity]) =>
    Array.from({ length: items[severity] }, (_, index) => ({
      id: `${letter}${index + 1}`,
      severity,
    })),
  );
  lists.set(items, list);
  return list;
}
export const isBlocking = (id) => !id.startsWith('n');
export const blockingOf = (regime) =>
  itemsOf(regime)
    .map(({ id }) => id)
    .filter(isBlocking);

const producer = { mean: 1.9, taskSpread: 0.5, itemSpread: 0.5 };

/** A number from 0 up to 1 that belongs to a name. */
export function uniform(...names) {
  const text = names.join('\u0000');
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return (4294967296 * (2097151 & b) + (a >>> 0) + 0.5) / 9007199254740992;
}

/** A standard normal number that belongs to a name. */
export function normal(...names) {
  return (
    Math.sqrt(-2 * Math.log(uniform('radius', ...names))) *
    Math.cos(2 * Math.PI * uniform('angle', ...names))
  );
}

const line = (id, ok, spot, revision) =>
  `Item ${id} is ${ok ? 'right' : 'wrong'}, of make ${spot}, revision ${revision}.`;
const written = /^Item (\w+) is (right|wrong), of make ([\w.]+), revision (\d+)\.$/;

/** What a line truly is; the only thing that judge, fixer and tally know of each other. */
export function read(text) {
  const found = written.exec(text);
  if (found === null) throw new Error(`no item: ${text}`);
  return { id: found[1], ok: found[2] === 'right', spot: found[3], revision: Number(found[4]) };
}

/** One draft of a task: a text for every item. */
export function draft({ seed, task, sample = 0, regime }) {
  const skill = producer.mean + producer.taskSpread * normal(seed, task, 'task');
  return Object.fromEntries(
    itemsOf(regime).map(({ id }) => {
      const logit = skill + producer.itemSpread * normal(seed, task, 'item', id);
      const ok = uniform(seed, task, 'draft', sample, id) < 1 / (1 + Math.exp(-logit));
      return [id, line(id, ok, `t${task}.s${sample}.${id}`, 0)];
    }),
  );
}

/** What a fixer makes of a draft when it is told that some items are wrong. What it has edited is a new text, with blind spots of its own. */
export function fixed(output, flagged, { regime, seed, attempt }) {
  const { fix, damageFlagged, damageOther } = regime.fixer;
  return Object.fromEntries(
    Object.entries(output).map(([id, text]) => {
      const { ok, spot, revision } = read(text);
      const told = flagged.has(id);
      const turns =
        uniform(seed, 'fix', spot, revision, attempt) <
        (ok ? (told ? damageFlagged : damageOther) : told ? fix : 0);
      return [
        id,
        turns || told ? line(id, turns ? !ok : ok, `${spot}.${attempt}`, revision + 1) : text,
      ];
    }),
  );
}

const wrongIn = (texts) => texts.filter((text) => !read(text).ok).length;

/** How many blocking items are truly wrong. */
export const faults = (output) =>
  wrongIn(
    Object.entries(output)
      .filter(([id]) => isBlocking(id))
      .map(([, text]) => text),
  );

/** How many items are truly wrong, minor ones too. */
export const allFaults = (output) => wrongIn(Object.values(output));
