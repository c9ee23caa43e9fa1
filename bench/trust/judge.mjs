// The noisy judge as a model provider. It knows nothing but the text of the prompt, where it looks for the item that the question
// names: three parts of a probit make it err, a blind spot that all judges share, one of its own, and the noise of the call.
import { regimes, sameSessionLoss } from './regimes.mjs';
import { normal, read, uniform } from './world.mjs';

/** The value that a share of a standard normal distribution lies below, to seven digits (Acklam). */
export function quantile(share) {
  if (share > 0.5) return -quantile(1 - share);
  if (share < 0.02425) {
    const q = Math.sqrt(-2 * Math.log(share));
    return (
      (((((-7.784894002430293e-3 * q - 0.3223964580411365) * q - 2.400758277161838) * q -
        2.549732539343734) *
        q +
        4.374664141464968) *
        q +
        2.938163982698783) /
      ((((7.784695709041462e-3 * q + 0.3224671290700398) * q + 2.445134137142996) * q +
        3.754408661907416) *
        q +
        1)
    );
  }
  const q = share - 0.5;
  const r = q * q;
  const top =
    ((((-39.69683028665376 * r + 220.9460984245205) * r - 275.9285104469687) * r +
      138.357751867269) *
      r -
      30.66479806614716) *
      r +
    2.506628277459239;
  return (
    (top * q) /
    (((((-54.47609879822406 * r + 161.5858368580409) * r - 155.6989798598866) * r +
      66.80131188771972) *
      r -
      13.28068155288572) *
      r +
      1)
  );
}

/** What makes a judge err about a text in each of its calls. */
function blindTo(text, { seed, family, regime }) {
  const { spot } = read(text);
  const { sameJudge, otherJudge } = { ...regimes.mid, ...regime }.alike;
  return {
    spots:
      Math.sqrt(otherJudge) * normal(seed, 'spot', spot) +
      Math.sqrt(sameJudge - otherJudge) * normal(seed, 'own', family, spot),
    spread: Math.sqrt(1 - sameJudge),
  };
}

/** Whether a judge calls an item wrong. */
export function flags(text, { seed, family, regime, sameSession, call, blind }) {
  const { ok, spot, revision } = read(text);
  const { spots, spread } = blind ?? blindTo(text, { seed, family, regime });
  const { catches, alarms } = regime.judge;
  return (
    spots + spread * normal(seed, 'call', family, spot, revision, call) <
    quantile(ok ? alarms : catches * (sameSession ? sameSessionLoss : 1))
  );
}

/** A model that judges so. `look` gives the verdict alone; `generate` reads the item in a prompt, and answers as a model does. */
export function noisyJudge({ seed, family, regime, sameSession = false, onAsk = () => {} }) {
  const seen = new Map();
  const judge = {
    id: `family-${family}`,
    model: sameSession ? 'same-session' : 'fresh',
    capabilities: {
      structured: 'json',
      schemaSubset: 'full',
      streaming: false,
      reportsUsage: false,
      reportsCost: false,
    },
    calls: 0,
    look: (text) => {
      judge.calls += 1;
      onAsk(text);
      const known = seen.get(text) ?? { calls: 0, blind: blindTo(text, { seed, family, regime }) };
      seen.set(text, known);
      const call = known.calls;
      known.calls += 1;
      if (regime.outage > 0 && uniform(seed, 'outage', family, text, call) < regime.outage)
        throw new Error('overloaded');
      return flags(text, { seed, family, regime, sameSession, call, blind: known.blind });
    },
    generate: async ({ messages }) => {
      const { text, token } = asked(messages);
      const entry = judge.look(text)
        ? { question: 1, answer: 'no', reason: 'it is wrong', quote: text }
        : { question: 1, answer: 'yes', reason: 'it is right' };
      return {
        text: JSON.stringify({ token, answers: [entry] }),
        finish: 'stop',
        usage: {},
        model: family,
        warnings: [],
        attempts: 1,
      };
    },
  };
  return judge;
}

/** The item that the question of a prompt names, or the only one, and the token of the answer. */
function asked(messages) {
  const question = messages.at(-1).content;
  const named = /Is item (\w+) right\?/.exec(question)?.[1];
  const text = new RegExp(
    `Item ${named ?? '\\w+'} is (?:right|wrong), of make [\\w.]+, revision \\d+\\.`,
  ).exec(messages[0].content)?.[0];
  const token = /The token is (\w+)\./.exec(question)?.[1];
  if (text === undefined || token === undefined)
    throw new Error('the prompt shows no item, or no token');
  return { text, token };
}
