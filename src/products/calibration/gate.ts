import * as z from 'zod';
import { builtOnUse } from '../../core/built-on-use.js';
import { type Grade, reachesBar } from '../../core/grade.js';
import { ConfusionSchema, confusionOf } from './confusion.js';
import { type Interval, wilsonInterval } from './interval.js';

const share = () => z.number().min(0).max(1);
const estimate = () => z.object({ value: share(), low: share(), high: share() });

export const GateSchema = builtOnUse(() =>
  z.object({
    /** The judges, in the order of their turns. */
    judges: z.array(z.string()).min(1).readonly(),
    /** The least grade that passes; null for judges that answer yes or no. */
    bar: z.int().min(1).nullable(),
    /** Calls for a text, at the prior. */
    calls: z.number().min(0),
    /** How many right and wrong labelled texts passed and failed. */
    confusion: ConfusionSchema,
    /** The share of right texts that are approved; null without right texts. */
    right: estimate().nullable(),
    /** The share of wrong texts among the approvals, at the prior; null where nothing is approved. */
    wrong: estimate().nullable(),
  }),
);
/** What judges let through that are asked in turn until one fails, by their recorded verdicts. */
export interface Gate extends Readonly<z.infer<typeof GateSchema>> {}

export interface Said {
  readonly passed: boolean;
  readonly grade?: Grade | undefined;
}

/** What each judge said; undefined for one that gave no verdict. */
export interface JudgedText {
  readonly good: boolean;
  readonly said: readonly (Said | undefined)[];
}

export interface GateFacts {
  /** The names of the judges, in the order in which texts contain them. */
  readonly judges: readonly string[];
  /** The share of texts that are wrong. */
  readonly prior: number;
  readonly confidence: number;
}

/** No longer orders are counted: a fifth judge buys next to nothing. */
const longestOrder = 4;

/** Counts what each order of judges lets through, at each bar of their scale. */
export function gatesOf(texts: readonly JudgedText[], facts: GateFacts): Gate[] {
  const bars = barsOf(texts);
  return ordersOf(facts.judges.length).flatMap((order) =>
    bars.map((bar) => gateOf(texts, facts, { order, bar })),
  );
}

/** It is null alone if a judge gave no grade, or one on another scale. */
function barsOf(texts: readonly JudgedText[]): readonly (number | null)[] {
  const said = texts.flatMap((text) => text.said.filter((one) => one !== undefined));
  const [scale, ...others] = new Set(said.map(({ grade }) => grade?.of));
  if (scale === undefined || others.length > 0) return [null];
  return Array.from({ length: scale - 1 }, (_, index) => index + 2);
}

function ordersOf(judges: number): readonly (readonly number[])[] {
  const all: (readonly number[])[] = [];
  let last: readonly (readonly number[])[] = [[]];
  for (let length = 1; length <= Math.min(judges, longestOrder); length += 1) {
    last = last.flatMap((order) =>
      [...Array(judges).keys()]
        .filter((judge) => !order.includes(judge))
        .map((judge) => [...order, judge]),
    );
    all.push(...last);
  }
  return all;
}

interface GatePlace {
  readonly order: readonly number[];
  readonly bar: number | null;
}

function gateOf(
  texts: readonly JudgedText[],
  { judges, prior, confidence }: GateFacts,
  { order, bar }: GatePlace,
): Gate {
  const judged = texts.flatMap(({ good, said }) => {
    const verdicts = order.map((judge) => passes(said[judge], bar));
    if (verdicts.includes(undefined)) return [];
    const failed = verdicts.indexOf(false);
    return { good, passed: failed < 0, calls: failed < 0 ? order.length : failed + 1 };
  });
  const confusion = confusionOf(judged);
  const { truePass, falsePass, trueFail, falseFail } = confusion;
  const right = shareFigure(truePass, truePass + falseFail, confidence);
  const missed = shareFigure(falsePass, falsePass + trueFail, confidence);
  const calls = (label: boolean): number => {
    const own = judged.filter(({ good }) => good === label);
    return own.reduce((sum, one) => sum + one.calls, 0) / Math.max(1, own.length);
  };
  return {
    judges: order.map((judge) => judges[judge] ?? ''),
    bar,
    calls: prior * calls(false) + (1 - prior) * calls(true),
    confusion,
    right,
    wrong: right && missed && wrongAmong(right, missed, prior),
  };
}

function passes(said: Said | undefined, bar: number | null): boolean | undefined {
  const grade = bar === null ? undefined : said?.grade;
  return grade === undefined || bar === null
    ? said?.passed
    : reachesBar({ ...grade, passFrom: bar });
}

type Figure = Interval & { readonly value: number };

function shareFigure(count: number, all: number, confidence: number): Figure | null {
  const interval = wilsonInterval(count, all, confidence);
  return interval === undefined ? null : { value: count / all, ...interval };
}

/**
 * Returns the share of wrong texts among approvals, at a prior. Its interval joins those of the two
 * rates (MOVER): each end is as far away as the two ends that move it there, squared and added.
 */
function wrongAmong(right: Figure, falsePass: Figure, prior: number): Figure | null {
  const at = (bad: number, good: number): number =>
    (prior * bad) / (prior * bad + (1 - prior) * good);
  if (right.value === 0 && falsePass.value === 0) return null;
  const value = at(falsePass.value, right.value);
  const low = Math.hypot(
    value - at(falsePass.low, right.value || right.high),
    value - at(falsePass.value, right.high),
  );
  const high = Math.hypot(
    at(falsePass.high, right.value) - value,
    at(falsePass.value, right.low) - value || 0,
  );
  return { value, low: Math.max(0, value - low), high: Math.min(1, value + high) };
}
