import type { AgentName } from '@/faces/hooks/agent-event.js';
import { faultyPage, goodPage } from '../unit/faces/cli/harness.js';

type Files = Readonly<Record<string, string | undefined>>;

/** One session of an agent: the folder before, and what the agent does. */
export interface Scenario {
  readonly name: string;
  /** Whether the work satisfies its task, after the last step. */
  readonly good: boolean;
  readonly before: Files;
  /** The changes before each stop; after a block, the next one follows. `undefined` removes a file. */
  readonly steps: readonly Files[];
  readonly blocks: number;
  /** What the person is told at the end; if it is left out, nothing but an approval. */
  readonly told?: RegExp;
  readonly git?: false;
  /** Whether the agent commits before it stops. */
  readonly commits?: true;
  readonly unfinished?: true;
}

const task = '# Sign in\n\n- The page title must be "Sign in".\n';
const vague = '# Sign in\n\n- Visitors must feel welcome on the page.\n';
const config = (command: string): string =>
  `export default { criteria: 'code', requirements: false, commands: [{ id: 'tests', run: ${command} }] };\n`;
const passes = config("['node', 'check.mjs']");
const checks = "import './shop.mjs';\n";
const oldFault = faultyPage.replace('Welcome', 'Hello');
const next = (id: string): string =>
  goodPage.replace('</body>', `<p id="${id}">a</p><p id="${id}">b</p>\n</body>`);
const script = 'export const price = 1;\n';

/** The sessions, with their truth. */
export const scenarios: readonly Scenario[] = [
  {
    name: 'a page that meets its task',
    good: true,
    before: { 'TASK.md': task },
    steps: [{ 'index.html': goodPage }],
    blocks: 0,
  },
  {
    name: 'nothing changed',
    good: true,
    before: { 'index.html': faultyPage },
    steps: [{}],
    blocks: 0,
  },
  {
    name: 'a script beside an old faulty page',
    good: true,
    before: { 'index.html': faultyPage },
    steps: [{ 'shop.mjs': script }],
    blocks: 0,
  },
  {
    name: 'an old fault that moved',
    good: true,
    before: { 'index.html': oldFault },
    steps: [{ 'index.html': oldFault.replace('<h1>', '<p>New</p>\n\n  <h1>') }],
    blocks: 0,
  },
  {
    name: 'a faulty page that was renamed',
    good: true,
    before: { 'index.html': oldFault, 'shop.mjs': script },
    steps: [{ 'index.html': undefined, 'sign-in.html': oldFault, 'shop.mjs': `${script}\n` }],
    blocks: 0,
  },
  {
    name: 'a file that was removed',
    good: true,
    before: {
      'index.html': goodPage,
      'old.mjs': script,
      'reviewloop.config.mjs': config("['node', '--version']"),
    },
    steps: [{ 'old.mjs': undefined }],
    blocks: 0,
  },
  {
    name: 'tests that pass',
    good: true,
    before: { 'reviewloop.config.mjs': passes, 'check.mjs': checks },
    steps: [{ 'shop.mjs': script }],
    blocks: 0,
  },
  {
    name: 'a page without git',
    good: true,
    git: false,
    before: { 'TASK.md': task },
    steps: [{ 'index.html': goodPage }],
    blocks: 0,
  },
  {
    name: 'a page that the agent commits',
    good: true,
    commits: true,
    before: { 'TASK.md': task },
    steps: [{ 'index.html': goodPage }],
    blocks: 0,
  },
  {
    name: 'a faulty page that is repaired',
    good: true,
    before: { 'TASK.md': task },
    steps: [{ 'index.html': faultyPage }, { 'index.html': goodPage }],
    blocks: 1,
  },
  {
    name: 'a faulty page that stays',
    good: false,
    before: {},
    steps: [{ 'index.html': faultyPage }],
    blocks: 1,
    told: /NOT APPROVED, \d open gaps/,
  },
  {
    name: 'a faulty page, and edits that do not help',
    good: false,
    before: {},
    steps: [{ 'index.html': faultyPage }, { 'a.mjs': script }, { 'b.mjs': script }],
    blocks: 1,
    told: /left open by the agent/,
  },
  {
    name: 'a new fault for each one that is closed',
    good: false,
    before: {},
    steps: 'abcdefgh'.split('').map((id) => ({ 'index.html': next(id) })),
    blocks: 5,
    told: /the limit of blocks in a turn is reached/,
  },
  {
    name: 'tests that fail, and are repaired',
    good: true,
    before: { 'reviewloop.config.mjs': passes, 'check.mjs': checks },
    steps: [{ 'shop.mjs': 'throw new Error("no price");\n' }, { 'shop.mjs': script }],
    blocks: 1,
  },
  {
    name: 'a judge that cannot start',
    good: false,
    before: { 'reviewloop.config.mjs': config("['no-such-program-at-all']") },
    steps: [{ 'shop.mjs': script }],
    blocks: 0,
    told: /NO VERDICT \(judge_failed\)/,
  },
  {
    name: 'a requirement that nobody can decide',
    good: false,
    before: { 'TASK.md': vague },
    steps: [{ 'index.html': goodPage }],
    blocks: 0,
    told: /a person has to decide: R1/,
  },
  {
    name: 'a configuration that is broken',
    good: false,
    before: { 'reviewloop.config.mjs': 'export default {' },
    steps: [{ 'shop.mjs': script }],
    blocks: 0,
    told: /NO VERDICT \(config_unreadable\)/,
  },
  {
    name: 'work that is not at its end',
    good: true,
    before: {},
    unfinished: true,
    steps: [{ 'index.html': faultyPage }],
    blocks: 0,
    told: /NOT REVIEWED, because/,
  },
];

/** Returns the scenarios that an agent can have: some do not say whether work has ended. */
export function scenariosOf(agent: AgentName): readonly Scenario[] {
  return scenarios.filter(
    ({ unfinished }) => unfinished !== true || !['gemini', 'vs-code'].includes(agent),
  );
}
