import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { root } from './repository.js';

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}
interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}
interface Workflow {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const folder = `${root}.github/workflows/`;
const texts = readdirSync(folder).map((name) => [name, readFileSync(`${folder}${name}`, 'utf8')]);
const workflows = texts.map(([name = '', text = '']) => ({
  name,
  text,
  workflow: parse(text) as Workflow,
}));
const stepsOf = ({ jobs }: Workflow) => Object.values(jobs).flatMap(({ steps }) => steps);

describe.each(workflows)('$name', ({ name, text, workflow }) => {
  it('pins each action to a commit, and says which version it is [R2-121]', () => {
    const used = stepsOf(workflow).flatMap(({ uses }) =>
      // the action of this repository is that of the commit
      uses === undefined || uses === './' ? [] : [uses],
    );
    expect(used.length).toBeGreaterThan(0);
    for (const action of used) {
      expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
      expect(text).toMatch(new RegExp(`${action} # v\\d+\\.\\d+\\.\\d+`));
    }
  });

  it('pins one action to one commit in all workflows [R2-121]', () => {
    const all = workflows.flatMap((each) => stepsOf(each.workflow).map(({ uses = '' }) => uses));
    for (const action of stepsOf(workflow).flatMap(({ uses }) =>
      uses === undefined ? [] : [uses],
    ))
      expect(all.filter((other) => other.split('@')[0] === action.split('@')[0])).toEqual(
        expect.arrayContaining([action]),
      );
    const commits = new Set(all.filter((uses) => uses.startsWith('actions/checkout@')));
    expect(commits.size).toBe(1);
  });

  it('reads the repository only, and leaves no credentials in it [R2-121]', () => {
    // the review of a pull request writes annotations and a comment
    const more =
      name === 'review.yml' ? { 'pull-requests': 'write', 'security-events': 'write' } : {};
    expect(workflow.permissions).toEqual({ contents: 'read', ...more });
    for (const { uses, with: given } of stepsOf(workflow))
      if (uses?.startsWith('actions/checkout@') === true)
        expect(given?.['persist-credentials']).toBe(false);
  });

  it('knows no stored secret [R2-121]', () => {
    expect(text).not.toMatch(/secrets\.|_TOKEN/);
  });
});

it('a release is published with provenance by a trusted workflow, after the tests [R2-121]', () => {
  const release = workflows.find(({ name }) => name === 'release.yml')?.workflow;
  const publishing = Object.values(release?.jobs ?? {}).filter(({ steps }) =>
    steps.some(({ run }) => run?.startsWith('npm publish') === true),
  );
  expect(publishing).toHaveLength(1);
  const [job] = publishing;
  expect(job?.permissions).toEqual({ contents: 'read', 'id-token': 'write' });
  const runs = job?.steps.map(({ run = '' }) => run) ?? [];
  expect(runs.at(-1)).toBe('npm publish --provenance --access public');
  expect(runs.indexOf('npm test')).toBeGreaterThan(runs.indexOf('npm ci'));
  // older ones need a token
  const [, version = '0'] =
    /^npm install --global npm@(\d+\.\d+)\.\d+$/m.exec(runs.join('\n')) ?? [];
  expect(Number(version)).toBeGreaterThanOrEqual(11.5);
});
