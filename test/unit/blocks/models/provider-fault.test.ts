import { describe, expect, it } from 'vitest';
import { modelErrors } from '@/blocks/models/errors.js';
import {
  cancelledBy,
  clean,
  faultOfStatus,
  faultOfThrown,
  retryAfterOf,
} from '@/blocks/models/provider-fault.js';
import { ReviewLoopError } from '@/core/errors.js';
import { errorWith } from '../../../support/matchers.js';

const place = { id: 'service', secrets: ['a-secret-key', undefined, 'abc'] };
const named = (name: string, message: string, more: object = {}): Error =>
  Object.assign(new Error(message), { name, ...more });

describe('faultOfThrown', () => {
  it.each([
    [Object.assign(new Error('x'), { status: 401 }), 'provider_unauthorized', false],
    [Object.assign(new Error('x'), { statusCode: 403 }), 'provider_unauthorized', false],
    [Object.assign(new Error('x'), { status: 425 }), 'provider_unavailable', true],
    [Object.assign(new Error('x'), { status: 422 }), 'provider_refused_request', false],
    [Object.assign(new Error('x'), { code: 'UND_ERR_HEADERS_TIMEOUT' }), 'provider_timeout', true],
    [
      new Error('outer', { cause: Object.assign(new Error('inner'), { code: 'ECONNRESET' }) }),
      'provider_unavailable',
      true,
    ],
    [new TypeError('fetch failed'), 'provider_unavailable', true],
    [new SyntaxError('Unexpected token'), 'provider_malformed', true],
    [named('AI_JSONParseError', 'x'), 'provider_malformed', true],
    [
      Object.assign(new Error('parse'), { status: 200, responseBody: '<html>' }),
      'provider_malformed',
      true,
    ],
    [
      new Error('The OPENAI_API_KEY environment variable: missing api key'),
      'provider_unauthorized',
      false,
    ],
    [new Error('something else'), 'provider_unavailable', false],
    ['a text', 'provider_unavailable', false],
    [undefined, 'provider_unavailable', false],
  ])('%s', (thrown, code, retryable) => {
    expect(faultOfThrown(place, thrown)).toMatchObject({ code, retryable });
  });

  it('hands on an error of this library from within, and follows causes that go in circles', () => {
    const own = new ReviewLoopError(modelErrors.answer_empty, 'nothing');
    expect(faultOfThrown(place, new Error('outer', { cause: own }))).toBe(own);
    const circle = new Error('round');
    circle.cause = circle;
    expect(faultOfThrown(place, circle)).toMatchObject(
      errorWith('provider_unavailable', 'service failed: round'),
    );
  });
});

describe('what errors tell', () => {
  it('holds no key, is cut, and survives bodies that are no JSON', () => {
    const fault = faultOfStatus(place, {
      status: 500,
      message: `bad a-secret-key ${'x'.repeat(2000)}`,
      body: { echo: 'a-secret-key' },
    });
    expect(fault.message).not.toContain('a-secret-key');
    expect(fault.message.length).toBeLessThan(700);
    expect(fault.value).toMatchObject({ status: 500, body: '{"echo":"[REDACTED:key]"}' });
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    expect(faultOfStatus(place, { status: 500, message: 'x', body: circular }).value).toMatchObject(
      { body: '' },
    );
    expect(clean(place, 'abc', 10)).toBe('abc');
  });

  it('says who cancelled', () => {
    const reason = new ReviewLoopError('timeout', 'too slow');
    expect(cancelledBy(AbortSignal.abort(reason), 'service')).toBe(reason);
    expect(cancelledBy(AbortSignal.abort(new Error('bye')), 'service')).toMatchObject(
      errorWith('cancelled', 'bye'),
    );
  });
});

it.each([
  [{ 'Retry-After': '7' }, 7000],
  [{ 'retry-after-ms': '120', 'retry-after': '7' }, 120],
  [new Headers({ 'retry-after': new Date(61_000).toUTCString() }), 60_000],
  [new Headers({ 'retry-after': new Date(0).toUTCString() }), 0],
  [{ 'retry-after': 'soon' }, undefined],
  [{ 'retry-after': ' ' }, undefined],
  [{ 'retry-after': 7 }, undefined],
  [undefined, undefined],
  ['retry-after: 7', undefined],
])('retryAfterOf: %o', (headers, expected) => {
  expect(retryAfterOf(headers, () => 1000)).toBe(expected);
});

describe('the words of services', () => {
  const faultOf = (status: number, message: string, body: unknown = {}) =>
    faultOfStatus(place, { status, message, body });

  it.each([
    ['Please try again in 7m12s.', {}, 432_000],
    ['Please try again in 1.5s', {}, 1500],
    ['try again in 20 seconds', {}, 20_000],
    ['retry in 340ms', {}, 340],
    ['no', { error: { details: [{ '@type': 'RetryInfo', retryDelay: '17s' }] } }, 17_000],
    ['You exceeded your current quota. Please retry in 3s', {}, 3000],
  ])('%s %j asks to wait [R3-051]', (message, body, retryAfterMs) => {
    expect(faultOf(429, message, body)).toMatchObject({
      ...{ code: 'provider_rate_limited', retryable: true },
      value: { retryAfterMs },
    });
  });
});
