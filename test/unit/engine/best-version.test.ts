import { expect, it } from 'vitest';
import type { Artifacts } from '../../../src/core/artifact.js';
import { htmlCriteria } from '../../../src/criteria/html/html-criteria.js';
import {
  definePipeline,
  escalateOver,
  firstOf,
  type Policy,
  thresholds,
} from '../../../src/index.js';
import { allPass } from '../../../src/policies/all-pass.js';

it('a version with a critical gap loses against one with more, but minor gaps [R2-051]', async () => {
  const check = (
    fails: (text: string) => boolean,
    severity: 'critical' | 'minor',
    name: string,
  ) => ({
    severity,
    check: (text: string) => (fails(text) ? `${name} is wrong` : true),
  });
  const pipeline = definePipeline({
    name: 'leak',
    produce: async () => 'secret, complete',
    address: async () => 'incomplete',
    criteria: {
      leak: check((text) => text.includes('secret'), 'critical', 'the secret'),
      ...Object.fromEntries(
        ['a', 'b', 'c'].map((name) => [
          name,
          check((text) => text.includes('incomplete'), 'minor', name),
        ]),
      ),
    },
    budget: { reviews: 2 },
  });
  const outcome = await pipeline.run('write');
  expect(outcome.reviews.map(({ scores }) => scores.quality)).toEqual([0.75, 0.25]);
  expect(outcome.output).toBe('incomplete');
  expect(outcome.review).toBe(outcome.reviews[1]);
});

it('a version that fails less wins where a criterion of the worse one no longer applies [R3-026]', async () => {
  const page = (body: string) => ({
    artifacts: [{ type: 'html', path: 'a.html', content: `<!doctype html><html>${body}</html>` }],
  });
  const versions = [
    page('<p>Rye<img src="gone.png"><label>x</label><input>'),
    page('<head><title>Bread</title></head><p>Rye<label>x</label><input>'),
    page('<head><title>Bread</title></head><p>Rye'),
  ];
  const next = versions.slice(1);
  const outcome = await definePipeline<string, Artifacts>({
    produce: async () => versions[0] ?? page(''),
    address: async () => next.shift() ?? page(''),
    reviewers: htmlCriteria(),
    policy: allPass(),
    budget: { reviews: 3 },
  }).run('a page about bread');
  const [first, second] = outcome.reviews;
  expect(outcome.reviews.map(({ parent }) => parent)).toEqual([
    undefined,
    first?.version,
    second?.version,
  ]);
  expect(outcome.output).toEqual(versions[2]);
  expect(outcome.review).toBe(outcome.reviews[2]);
});

it('the reason of a run is about the version that it returns [R3-031]', async () => {
  const texts = ['a', 'abc', 'a bc', 'b'];
  const run = async (policy: Policy, extra: object = {}) => {
    const next = texts.slice(1);
    return definePipeline<string, string>({
      produce: async () => texts[0] ?? '',
      address: async () => next.shift() ?? '',
      criteria: Object.fromEntries(
        ['a', 'b', 'c', 'd'].map((letter) => [letter, (text: string) => text.includes(letter)]),
      ),
      policy,
      ...extra,
    }).run('write');
  };
  const used = await run(thresholds(), { budget: { reviews: 4 } });
  expect(used).toMatchObject({ code: 'iterations', output: 'abc' });
  expect(used.review?.gaps).toHaveLength(1);
  expect(used.reason).toMatch(/: 1 critical or major gap$/);
  const same = await run(thresholds(), {
    budget: { reviews: 5 },
    address: async (text: string) => (text === 'a' ? 'abc' : text === 'abc' ? 'b' : text),
  });
  expect(same.output).toBe('abc');
  expect(same.reason).toMatch(/: 1 critical or major gap$/);
  const stopped = await run(
    firstOf(escalateOver({ score: 0.75, fromIteration: 3 }), thresholds()),
    {
      budget: { reviews: 5 },
      address: async (text: string) => (text === 'a' ? 'abc' : 'b'),
    },
  );
  expect(stopped).toMatchObject({ status: 'escalated', output: 'abc' });
  expect(stopped.reason).toMatch(/\(in review 3; the version of review 2 is returned\)$/);
});
