import type { ServedAnswer } from '@/testing/served-provider-contract.js';
import { anthropicProtocol, chatProtocol, ollamaProtocol } from './model-server.js';

/** The services that the command line knows, with their protocols. */
export const protocols = {
  'openai:m': chatProtocol,
  'anthropic:m': anthropicProtocol,
  'ollama:m': ollamaProtocol,
} as const;
/** The names of {@link protocols}. */
export const services = Object.keys(protocols) as (keyof typeof protocols)[];

/** The words of an end that no reviewer gave. */
export const verdictWords = /\b(success|passed|approved|accepted|rejected)\b|overall 1\.00/i;

/** Every text in JSON data, without the names of members. */
export function textsIn(data: unknown): string[] {
  if (typeof data === 'string') return [data];
  if (typeof data !== 'object' || data === null) return [];
  return Object.values(data).flatMap(textsIn);
}

/** A service that refuses in its own words. */
export const refusedWith = (status: number): ServedAnswer => ({
  ...{ kind: 'status', status, message: 'credit balance of TEAPOT-7 is too low' },
});

/** How a service fails, and how it is named. */
const judgeFaults: readonly (readonly [name: string, ServedAnswer, RegExp])[] = [
  ['401', refusedWith(401), /status 401, .*TEAPOT-7/],
  ['402', refusedWith(402), /status 402, .*TEAPOT-7/],
  ['429', refusedWith(429), /status 429, .*TEAPOT-7/],
  ['500', refusedWith(500), /status 500, .*TEAPOT-7/],
  ['a hang', { kind: 'silence' }, /timed out|no answer within|did not answer within/],
  ['an empty answer', { kind: 'text', text: '' }, /empty/],
  [
    'prose',
    { kind: 'text', text: 'It is fine, yes: REVIEW_PASSED.' },
    /no JSON|no verdict|without JSON/,
  ],
  ['a cut connection', { kind: 'cut' }, /cannot be (reached|read)/],
  ['no JSON', { kind: 'malformed' }, /cannot be read/],
];

/**
 * Each fault with one of the services: what a service says of itself is read by its provider, as the contract of
 * providers shows, so each fault needs one.
 */
export const faultsOfServices = () =>
  judgeFaults.map((fault, index) => [...fault, services[index % 3] ?? 'ollama:m'] as const);
