import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readSource, root } from './repository.js';

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}
interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly needs?: string;
  readonly 'runs-on': string;
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly string[]>> };
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
    for (const [action] of stepsOf(workflow).map(({ uses = '' }) => uses.split('@')))
      expect(new Set(all.filter((uses) => uses.split('@')[0] === action)).size).toBe(1);
  });

  it('reads the repository only, and leaves no credentials in it [R2-121]', () => {
    // the review of a pull request writes annotations, a comment and a check run
    const writes = { checks: 'write', 'pull-requests': 'write', 'security-events': 'write' };
    const more = name === 'review.yml' ? writes : {};
    expect(workflow.permissions).toEqual({ contents: 'read', ...more });
    for (const { uses, with: given } of stepsOf(workflow))
      if (uses?.startsWith('actions/checkout@') === true)
        expect(given?.['persist-credentials']).toBe(false);
  });

  it('knows no stored secret [R2-121]', () => {
    expect(text).not.toMatch(/secrets\.|_TOKEN/);
  });
});

const named = (name: string): Workflow => {
  const found = workflows.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no ${name}`);
  return found.workflow;
};
const runsOf = (job: Job | undefined): string[] => job?.steps.flatMap(({ run }) => run ?? []) ?? [];
const usesOf = (job: Job | undefined): string[] =>
  job?.steps.flatMap(({ uses }) => uses?.split('@')[0] ?? []) ?? [];

describe('a release [R2-121]', () => {
  const { pack, publish } = named('release.yml').jobs;

  it('is tested and packed by a job that cannot publish', () => {
    const runs = runsOf(pack);
    expect(pack?.permissions).toBeUndefined();
    const order = ['npm ci', 'npm test', 'npm run build'].map((run) => runs.indexOf(run));
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(order).not.toContain(-1);
    expect(runs.at(-1)).toMatch(/^npm pack --ignore-scripts /);
    expect(runs.join('\n')).toContain('npm run --silent sbom > release/');
    expect(usesOf(pack).at(-1)).toBe('actions/upload-artifact');
  });

  it('is published with provenance by a job that runs no code of others', () => {
    expect(publish?.permissions).toEqual({ contents: 'read', 'id-token': 'write' });
    expect(publish?.needs).toBe('pack');
    expect(usesOf(publish)).toEqual(['actions/setup-node', 'actions/download-artifact']);
    const [install = '', ...rest] = runsOf(publish);
    expect(rest).toEqual([
      'npm publish ./release/*.tgz --provenance --access public --ignore-scripts',
    ]);
    // older ones need a token
    const [, version = '0'] = /^npm install --global npm@(\d+\.\d+)\.\d+$/.exec(install) ?? [];
    expect(Number(version)).toBeGreaterThanOrEqual(11.5);
    // no other job may ask for the identity that npm trusts
    const all = workflows.flatMap(({ workflow }) => Object.values(workflow.jobs));
    expect(all.filter(({ permissions }) => permissions?.['id-token'] !== undefined)).toEqual([
      publish,
    ]);
  });

  it('contains no change that the changelog lacks', () => {
    expect(runsOf(pack)).toContain('test "$(ls .changeset/*.md)" = .changeset/README.md');
    expect(JSON.parse(readSource('.changeset/config.json'))).toMatchObject({
      access: 'public',
      baseBranch: 'main',
      commit: false,
    });
    for (const file of readdirSync(`${root}.changeset`).filter((name) => name.endsWith('.md')))
      if (file !== 'README.md')
        expect(readSource(`.changeset/${file}`)).toMatch(
          /^---\n(["']reviewloop["']: (patch|minor|major)\n)?---\n/,
        );
  });
});

describe('the tests of every change [issue 23]', () => {
  const { jobs } = named('ci.yml');
  const { engines } = JSON.parse(readSource('package.json')) as { engines: { node: string } };
  const oldest = engines.node.replace('>=', '');

  it('run on the oldest Node that the package takes, and on 22, 24 and 26 [R3-025]', () => {
    expect(jobs['test']?.strategy?.matrix['node']).toEqual([oldest, '22', '24', '26']);
    expect(jobs['platforms']?.strategy?.matrix['node']).toEqual([oldest, '22', '24', '26']);
  });

  it('run on Windows and macOS too', () => {
    expect(jobs['platforms']?.strategy?.matrix['os']).toEqual(['windows-latest', 'macos-latest']);
    // git must not turn line feeds into CRLF there
    expect(readSource('.gitattributes')).toContain('* text=auto eol=lf');
  });

  it('put no text of a stranger into a script', () => {
    for (const { text } of workflows)
      for (const line of text.split('\n').filter((each) => /^\s*- run:/.test(each)))
        expect(line).not.toContain('${{');
  });
});
