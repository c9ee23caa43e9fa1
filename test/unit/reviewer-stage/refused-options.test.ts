import { describe, expect, it } from 'vitest';
import { ChecklistDimension } from '../../../src/reviewer-stage/dimensions/checklist-dimension.js';
import { ReviewerStage } from '../../../src/reviewer-stage/reviewer-stage.js';
import { workFromDiff } from '../../../src/reviewer-stage/work-from-diff.js';
import { dimensions, good, saying } from './support.js';

const stage = (options: object) => () => new ReviewerStage(options);

describe('a stage refuses', () => {
  it.each([
    ['no list', {}],
    ['an entry without an id', [{ assess: async () => good }]],
    ['an entry that assesses nothing', [{ id: 'tone' }]],
    ['an entry that is none', [undefined]],
    ['one bad entry of two', [...dimensions(), { id: 'tone' }]],
  ])('dimensions with %s, and names the option', (_, given) => {
    expect(stage({ dimensions: given })).toThrow(
      expect.objectContaining({
        code: 'invalid_options',
        message: expect.stringMatching(/`dimensions`/),
      }),
    );
  });

  it('two dimensions of one id', () => {
    expect(stage({ dimensions: [saying('tone', good), saying('tone', good)] })).toThrow(
      expect.objectContaining({ code: 'duplicate_id' }),
    );
  });

  it('what it cannot switch, and names it', () => {
    const refused = (options: object, name: RegExp) =>
      expect(stage({ dimensions: dimensions(), ...options })).toThrow(
        expect.objectContaining({
          code: 'invalid_options',
          message: expect.stringMatching(name),
        }),
      );
    refused({ enabled: { safety: 'yes' } }, /enabled\.safety/);
    refused({ enabled: { safty: true } }, /^`?enabled.*safty/);
    refused({ thresholds: { safty: 'good' } }, /^`?thresholds.*safty/);
  });
});

describe('work from a diff refuses', () => {
  const diff = { base: 'b', head: 'h', text: '', files: [] };
  const made = (options: unknown) =>
    workFromDiff(diff, options as Parameters<typeof workFromDiff>[1]);

  it.each([
    [undefined, /workFromDiff/],
    [null, /workFromDiff/],
    ['a text', /workFromDiff/],
    [{ maxFileToken: 1 }, /workFromDiff.*maxFileToken/],
    [{ maxFileTokens: 0 }, /`maxFileTokens`/],
    [{ maxTokens: '1' }, /`maxTokens`/],
    [{ allowTruncated: 'a.ts' }, /`allowTruncated`/],
    [{ allowTruncated: ['a.ts', 7] }, /`allowTruncated`/],
    [{ samples: { number: 1 } }, /^`?samples.*number/],
    [{ samples: { files: -1 } }, /samples\.files/],
    [{ samples: { tokens: 1.5 } }, /samples\.tokens/],
  ])('%j, and names the option', async (options, name) => {
    await expect((async () => made(options))()).rejects.toMatchObject({
      code: 'invalid_options',
      message: expect.stringMatching(name),
    });
  });

  it('no paths that may be cut', async () => {
    const options = { sessionId: 's', request: 'r', allowTruncated: ['a.ts'] };
    await expect((async () => made(options))()).rejects.toMatchObject({ code: 'no_artifacts' });
  });
});

describe('a dimension that a model judges refuses', () => {
  class Tone extends ChecklistDimension {
    readonly id = 'tone';
    readonly name = 'Tone';
    protected questions() {
      return [{ text: 'Is it kind?' }];
    }
  }

  it('what is no provider, and a bound that is none', () => {
    const refused = (settings: object, name: RegExp) =>
      expect(() => new Tone(settings)).toThrow(
        expect.objectContaining({
          code: 'invalid_options',
          message: expect.stringMatching(name),
        }),
      );
    refused({ provider: {} }, /provider/);
    refused({ maxPromptTokens: 0 }, /maxPromptTokens/);
    refused({ model: 'x' }, /Tone.*model/);
  });

  it('nothing that it needs: without a provider it takes that of the stage', () => {
    const provider = { id: 'p', generate: async () => '' } as never;
    expect(new Tone().needsProvider).toBe(true);
    expect(new Tone({ provider }).needsProvider).toBe(false);
    expect(new Tone().version).not.toBe(new Tone({ maxPromptTokens: 5 }).version);
    expect(new Tone().version).toMatch(/^[0-9a-f]{16}$/);
  });
});
