import { type AgentName, agentNames } from '@/faces/hooks/agent-event.js';
import { faultyPage, goodPage } from '../unit/faces/cli/harness.js';

type Files = Readonly<Record<string, string | undefined>>;

/** One session of an agent: the folder before, and what the agent does. */
export interface Scenario {
  readonly before: Files;
  /** The changes before each stop; after a block, the next one follows. `undefined` removes a file. */
  readonly steps: readonly Files[];
  /** @default 0 */
  readonly blocks?: number;
  /** What the person is told at the end; if it is left out, nothing but an approval. */
  readonly told?: RegExp;
  readonly git?: false;
  /** Whether the agent commits before it stops. */
  readonly commits?: true;
  readonly unfinished?: true;
}

const task = '# Sign in\n\n- The page title must be "Sign in".\n';
const vague = '# Sign in\n\n- Visitors must feel welcome on the page.\n';
const runs = (command: string): string =>
  `export default { criteria: 'code', requirements: false, commands: [{ id: 'tests', run: ${command} }] };\n`;
const passes = runs("['node', 'check.mjs']");
const checks = "import './shop.mjs';\n";
const oldFault = faultyPage.replace('Welcome', 'Hello');
const next = (id: string): string =>
  goodPage.replace('</body>', `<p id="${id}">a</p><p id="${id}">b</p>\n</body>`);
const script = 'export const price = 1;\n';

const config = 'reviewloop.config.mjs';

/** Good work in which only what git sees differs: three agents play each, since no answer does. */
const seenByGit: Readonly<Record<string, Scenario>> = {
  'nothing changed': { before: { 'index.html': faultyPage }, steps: [{}] },
  'a script beside an old faulty page': {
    before: { 'index.html': faultyPage },
    steps: [{ 'shop.mjs': script }],
  },
  'an old fault that moved': {
    before: { 'index.html': oldFault },
    steps: [{ 'index.html': oldFault.replace('<h1>', '<p>New</p>\n\n  <h1>') }],
  },
  'a faulty page that was renamed': {
    before: { 'index.html': oldFault, 'shop.mjs': script },
    steps: [{ 'index.html': undefined, 'sign-in.html': oldFault, 'shop.mjs': `${script}\n` }],
  },
  'a file that was removed': {
    before: { 'index.html': goodPage, 'old.mjs': script, [config]: runs("['node', '--version']") },
    steps: [{ 'old.mjs': undefined }],
  },
  'tests that pass': {
    before: { [config]: passes, 'check.mjs': checks },
    steps: [{ 'shop.mjs': script }],
  },
  'a page without git': {
    git: false,
    before: { 'TASK.md': task },
    steps: [{ 'index.html': goodPage }],
  },
  'a page that the agent commits': {
    commits: true,
    before: { 'TASK.md': task },
    steps: [{ 'index.html': goodPage }],
  },
};

/** The sessions whose work satisfies its task after the last step. */
const good: Readonly<Record<string, Scenario>> = {
  'a page that meets its task': {
    before: { 'TASK.md': task },
    steps: [{ 'index.html': goodPage }],
  },
  'a faulty page that is repaired': {
    before: { 'TASK.md': task },
    steps: [{ 'index.html': faultyPage }, { 'index.html': goodPage }],
    blocks: 1,
  },
  'tests that fail, and are repaired': {
    before: { [config]: passes, 'check.mjs': checks },
    steps: [{ 'shop.mjs': 'throw new Error("no price");\n' }, { 'shop.mjs': script }],
    blocks: 1,
  },
  'work that is not at its end': {
    before: {},
    unfinished: true,
    steps: [{ 'index.html': faultyPage }],
    told: /NOT REVIEWED, because/,
  },
};

/** Nothing of this ends in silence. */
const bad: Readonly<Record<string, Scenario & { readonly told: RegExp }>> = {
  'a faulty page that stays': {
    before: {},
    steps: [{ 'index.html': faultyPage }],
    blocks: 1,
    told: /NOT APPROVED, \d open gaps/,
  },
  'a faulty page, and edits that do not help': {
    before: {},
    steps: [{ 'index.html': faultyPage }, { 'a.mjs': script }, { 'b.mjs': script }],
    blocks: 1,
    told: /left open by the agent/,
  },
  'a new fault for each one that is closed': {
    before: {},
    steps: 'abcdefgh'.split('').map((id) => ({ 'index.html': next(id) })),
    blocks: 5,
    told: /the limit of blocks in a turn is reached/,
  },
  'a judge that cannot start': {
    before: { [config]: runs("['no-such-program-at-all']") },
    steps: [{ 'shop.mjs': script }],
    told: /NO VERDICT \(judge_failed\)/,
  },
  'a requirement that nobody can decide': {
    before: { 'TASK.md': vague },
    steps: [{ 'index.html': goodPage }],
    told: /a person has to decide: R1/,
  },
  'a configuration that is broken': {
    before: { [config]: 'export default {' },
    steps: [{ 'shop.mjs': script }],
    told: /NO VERDICT \(config_unreadable\)/,
  },
};

/** Returns the sessions that an agent plays: some do not say whether work has ended. */
export function scenariosOf(agent: AgentName): (readonly [string, Scenario])[] {
  const turn = agentNames.indexOf(agent);
  return [
    ...Object.entries(seenByGit).filter((_, at) => (at + turn) % 2 === 0),
    ...Object.entries({ ...good, ...bad }).filter(
      ([, { unfinished }]) => unfinished !== true || !['gemini', 'vs-code'].includes(agent),
    ),
  ];
}

/** Whether a session ends well at its first stop. */
export const isGoodAtOnce = ([name, { blocks }]: readonly [string, Scenario]): boolean =>
  !(name in bad) && blocks === undefined;
