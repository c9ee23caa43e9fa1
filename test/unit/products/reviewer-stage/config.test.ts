import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { enabledDimensions } from '@/faces/commands/reviewer-stage/build-stage.js';
import { loadConfig } from '@/faces/config/load-config.js';
import { reviewerConfig } from '@/products/reviewer-stage/config.js';
import { errorWith } from '../../../support/matchers.js';
import { folderOf } from '../../faces/cli/harness.js';
import { five } from './support.js';

async function loaded(yaml: string, name = '.agent/config.yml') {
  const cwd = await folderOf({ [name]: yaml });
  return reviewerConfig((await loadConfig(cwd, undefined, { agent: true })).config.reviewer);
}

const seed = `# another program's file
tools: { anything: [goes] }
reviewer:
  # Enable/disable dimensions
  dimensions:
    intent_alignment: true
    code_quality: true
    completeness: true
    consistency: true
    safety: true
  timeout_seconds: 120
  human_review: prompt  # auto | prompt | require
  min_quality: good  # excellent | good | acceptable
`;

const idsIn = (config: Parameters<typeof enabledDimensions>[0]) =>
  enabledDimensions(config).map(({ id }) => id);

describe('the reviewer section', () => {
  it('each of the five dimensions is enabled, unless its id disables it [RV-26]', async () => {
    expect(idsIn({})).toEqual(five);
    expect(idsIn(await loaded(seed))).toEqual(five);
    const off = await loaded('reviewer:\n  dimensions:\n    safety: false\n');
    expect(idsIn(off)).not.toContain('safety');
  });

  it('time, human review and quality are read in the names of the seed, and in ours [RV-27, RV-28, RV-29]', async () => {
    expect(await loaded(seed)).toMatchObject({
      timeoutSeconds: 120,
      humanReview: 'prompt',
      minQuality: 'good',
    });
    const ours = 'reviewer: { timeoutSeconds: 5, humanReview: require, minQuality: acceptable }';
    expect(await loaded(ours, 'reviewloop.config.yaml')).toMatchObject({
      ...{ timeoutSeconds: 5, humanReview: 'require', minQuality: 'acceptable' },
    });
    expect(await loaded('reviewer: {}')).toEqual({});
  });

  it('reports every mistake with its line and the allowed values', async () => {
    const cases: [string, string][] = [
      [
        'reviewer:\n  human_review: never\n',
        '.agent/config.yml:2: `reviewer.human_review`: expected auto, prompt or require',
      ],
      [
        'a: 1\nreviewer:\n  timeout_seconds: 0\n',
        '.agent/config.yml:3: `reviewer.timeout_seconds`',
      ],
      [
        'reviewer:\n  dimensions:\n    speed: false\n',
        '.agent/config.yml:3: `reviewer.dimensions.speed`: unknown dimension speed',
      ],
      [
        'reviewer:\n  min_quality: poor\n',
        'expected one of excellent, good, acceptable, needs_work',
      ],
      [
        'reviewer:\n  max_cycle: 1\n',
        '.agent/config.yml:2: unknown key `reviewer.max_cycle`; the nearest key is max_cycles',
      ],
      ['reviewer:\n  thresholds:\n    safty: good\n', '.agent/config.yml:3'],
      [
        'reviewer:\n  dimensions: { intent_alignment: false, code_quality: false, completeness: false, consistency: false, safety: false }\n',
        'all dimensions are disabled',
      ],
      ['reviewer: [\n', '.agent/config.yml:'],
    ];
    for (const [yaml, message] of cases)
      await expect(loaded(yaml), yaml).rejects.toMatchObject(errorWith('config_invalid', message));
  });

  it('takes dimensions and a provider of your own, which thresholds may name, and refuses what is neither', async () => {
    const own =
      "{ id: 'tone', name: 'Tone', assess: async () => ({ level: 'good', explanation: '', issues: [] }) }";
    const section = (text: string) =>
      loaded(`export default { reviewer: ${text} };`, 'reviewloop.config.mjs');
    const config = await section(
      `{ dimensions: { tone: ${own} }, thresholds: { tone: 'excellent' }, provider: { id: 'p', generate: async () => ({}) } }`,
    );
    expect(idsIn(config)).toEqual([...five, 'tone']);
    const off =
      '{ intent_alignment: false, code_quality: false, completeness: false, consistency: false, safety: false';
    expect(idsIn(await section(`{ dimensions: ${off}, tone: ${own} } }`))).toEqual(['tone']);
    for (const [text, message] of [
      ["{ dimensions: { tone: { id: 'tone' } } }", 'expected true, false, or a dimension'],
      ['{ dimensions: { tone: null } }', 'expected true, false, or a dimension'],
      ["{ provider: { id: 'p' } }", 'expected a provider, with `id` and `generate`'],
      ['{ provider: null }', 'expected a provider, with `id` and `generate`'],
      ["{ verify: [''] }", '`reviewer.verify[0]`'],
      ['{ replan: 7 }', 'expected a command'],
      ["'good'", 'reviewer'],
    ] as const)
      await expect(section(text), text).rejects.toMatchObject(errorWith('config_invalid', message));
  });

  it('checks that section only, where the file belongs to another program', async () => {
    expect(
      await loaded('criteria: 17\nbudget: none\nreviewer: { min_quality: excellent }\n'),
    ).toEqual({ minQuality: 'excellent' });
    const cwd = await folderOf({
      '.agent/config.yml': 'model: x\n',
      'named/.agent/config.yml': 'criteria: 17\nreviewer: { max_cycles: 1 }\n',
    });
    expect(await loadConfig(cwd, undefined, { agent: true })).toEqual({
      config: {},
      file: undefined,
    });
    expect((await loadConfig(cwd, join(cwd, 'named/.agent/config.yml'))).config.reviewer).toEqual({
      max_cycles: 1,
    });
  });

  it('is not looked for there where there is a configuration of ours, or where files are reviewed', async () => {
    const cwd = await folderOf({
      '.agent/config.yml': 'reviewer: { min_quality: excellent }\n',
      'reviewloop.config.yaml': 'reviewer: { min_quality: acceptable }\n',
    });
    expect((await loadConfig(cwd, undefined, { agent: true })).config.reviewer).toEqual({
      min_quality: 'acceptable',
    });
    expect(await loadConfig(await folderOf({ '.agent/config.yml': seed }))).toEqual({
      config: {},
      file: undefined,
    });
  });
});
