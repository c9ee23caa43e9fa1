import { errorTable } from '../../core/error-table.js';

/** The errors of model calls and of their answers. */
export const modelErrors = /* @__PURE__ */ errorTable({
  provider_unauthorized: {
    kind: 'environment',
    fix: 'Check the key of the provider and its permissions.',
  },
  provider_refused_request: {
    kind: 'environment',
    fix:
      'Read the message of the provider: it refused the request, ' +
      'for example because of its size, model or schema.',
  },
  provider_rate_limited: {
    kind: 'environment',
    fix: 'Wait as long as the provider asks, lower the concurrency, or set a rate limit.',
  },
  provider_unavailable: {
    kind: 'environment',
    fix: 'Check the address of the provider and the network, or try again later.',
  },
  provider_timeout: {
    kind: 'environment',
    fix: 'Raise the timeout of the provider, or ask for less.',
  },
  provider_malformed: {
    kind: 'environment',
    fix: 'Check the address of the provider, or try again: its response does not follow the protocol.',
  },
  schema_unsupported: {
    kind: 'bug',
    fix:
      'Use what every service can express: objects with named members, lists, texts, numbers, ' +
      'booleans and optional members. Records, tuples and values of any kind do not work.',
  },
  view_truncated: {
    kind: 'judge',
    fix:
      'Narrow the `scope`, raise `maxPromptTokens` and the context of the model ' +
      '(`contextTokens` of Ollama), or set `allowTruncated`: by default, a judge must see ' +
      'everything that it judges.',
  },
  replay_missing: { kind: 'environment', fix: 'Record the cassette again.' },
  answer_truncated: {
    kind: 'judge',
    fix: 'Raise `maxOutputTokens`: a truncated answer is never read.',
  },
  answer_filtered: {
    kind: 'judge',
    fix: 'Review the text in question by hand: a content filter of the provider stopped the answer.',
  },
  answer_refused: { kind: 'judge', fix: 'Rephrase the prompt, or use another model.' },
  answer_empty: { kind: 'judge', fix: 'Try again, or use another model.' },
  answer_degenerate: {
    kind: 'judge',
    fix: 'Try again, or use another model: the answer repeats itself without end.',
  },
  answer_unreadable: { kind: 'judge', fix: 'Read the raw answer in `value`: it contains no JSON.' },
  answer_ambiguous: {
    kind: 'judge',
    fix: 'Read the raw answer in `value`: it contains several different answers, so none is taken.',
  },
  answer_mismatch: {
    kind: 'judge',
    fix: 'Read the raw answer in `value`: its JSON does not match the schema.',
  },
});
