import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ChecklistItem } from '@/products/checklist-gate/index.js';
import { aimockService } from '../../../../support/aimock-service.js';
import { tokenOf } from '../../../../support/answering-judge.js';
import { questionsIn } from '../../../../support/checklist-judge.js';
import { ending, failing } from '../../../../support/matchers.js';
import { modelServer, ollamaProtocol } from '../../../../support/model-server.js';
import { decomposed, gateOf, work } from '../../../products/checklist-gate/support.js';
import { type CliResult, folderOf, runCli } from '../../cli/harness.js';

const plan =
  '# A plan\n\n## M1: Parser\nAcceptance criteria:\n- reads every fixture\n\nCode intent:\n- add src/parse.ts\n\n## M2: Writer\nCode intent:\n- add src/write.ts\n';

const common = ['--phase', 'plan-structure', '--state-dir', '.qr'];
const run = (cwd: string, ...argv: string[]): Promise<CliResult> =>
  runCli(cwd, ['checklist', ...argv, ...common]);
const error = (message: string) => ({
  code: 1,
  out: `<qr_cli_error>\n  <message>${message}</message>\n</qr_cli_error>\n`,
  err: '',
});

/** What such a command prints. */
const said = async (cwd: string, ...argv: string[]): Promise<string> =>
  (await run(cwd, ...argv)).out;

async function planned(): Promise<string> {
  const cwd = await folderOf({ 'plan.md': plan });
  expect((await run(cwd, 'decompose', 'plan.md')).code).toBe(0);
  return cwd;
}

describe('reviewloop checklist [QR-11, QR-13, D001-13]', () => {
  it('decompose makes the state directory and one file for the phase, and sends to the verifiers [QR-25, QR-35, QR-36, QR-37, QR-56]', async () => {
    const cwd = await folderOf({ 'plan.md': plan });
    const made = await run(cwd, 'decompose', 'plan.md');
    const whole = /^DECOMPOSE COMPLETE\n[\s\S]*\nNEXT: Invoke verifiers for each item\.\n$/;
    expect(made).toMatchObject(ending(0, whole));
    expect((await readdir(join(cwd, '.qr'))).filter((name) => name.endsWith('.json'))).toEqual([
      'qr-plan-structure.json',
    ]);
    expect(made.out).toContain(
      '- plan-structure-003: Milestone M1 has acceptance criteria. (scope: milestone:M1)',
    );
  });

  it('decompose ends when the model is silent for longer than --review-timeout [R2-082]', async () => {
    const cwd = await folderOf({ 'plan.md': plan });
    const server = await modelServer(ollamaProtocol, { kind: 'silence' });
    const model = ['--provider', 'ollama:m', '--base-url', server.url];
    const result = await run(cwd, 'decompose', 'plan.md', ...model, '--review-timeout', '1');
    await server.close();
    const silent = 'the model did not answer within 1 s (--review-timeout 1)';
    expect(result).toMatchObject(ending(1, silent));
    expect(existsSync(join(cwd, '.qr/qr-plan-structure.json'))).toBe(false);
  });

  it('decompose of other paths is refused, and of the same paths says what exists [R2-096]', async () => {
    const cwd = await planned();
    await writeFile(join(cwd, 'other.md'), plan);
    const state = () => readFile(join(cwd, '.qr/qr-plan-structure.json'), 'utf8');
    const before = await state();
    expect(await run(cwd, 'decompose', 'other.md')).toMatchObject(
      ending(1, 'plan-structure was decomposed from ../plan.md, not from ../other.md'),
    );
    expect(await run(cwd, 'decompose', 'plan.md')).toMatchObject(
      ending(0, 'Items created: 0 (8 exist, from ../plan.md)\n- plan-structure-001'),
    );
    expect(await state()).toBe(before);
  });

  it('a state of schema 1.0 takes the paths of decompose, and verify needs none then [R2-109]', async () => {
    const items = [{ id: 'plan-001', scope: '*', check: 'x', status: 'TODO', finding: null }];
    const old = { schema_version: '1.0', phase: 'plan-structure', items };
    const cwd = await folderOf({
      'plan.md': plan,
      '.qr/qr-plan-structure.json': JSON.stringify(old),
    });
    expect(await said(cwd, 'verify')).toContain(
      'the state contains no paths to review: name them, or run `checklist decompose` with them',
    );
    expect(await said(cwd, 'decompose', 'plan.md')).toContain(
      'Items created: 0 (1 exist, from ../plan.md)\n- plan-001: x (scope: *)',
    );
    const counts = 'Items: 1 total, 0 PASS, 0 FAIL, 1 TODO';
    expect(await run(cwd, 'verify')).toMatchObject(ending(50, counts));
  });

  it('the counts add up for the fixer too [R2-112]', async () => {
    const cwd = await planned();
    await run(cwd, 'update', 'plan-structure-001', '--status', 'FAIL', '--finding', 'no');
    const { out } = await run(cwd, 'fix', '--qr-fail');
    expect(out.split('\n')[0]).toBe('8 items: 0 PASS, 1 FAIL, 7 TODO');
    // an item about the whole work has no scope of its own
    expect(out).toMatch(/\n\[plan-structure-001\] .*\n {4}Finding: no\n/);
  });

  it('two decompositions at once: one makes the items, the other finds them', async () => {
    const cwd = await folderOf({ 'plan.md': plan, 'other.md': plan });
    const both = await Promise.all(
      ['plan.md', 'other.md'].map((path) => run(cwd, 'decompose', path)),
    );
    expect(new Set(both.map(({ code }) => code))).toEqual(new Set([0, 1]));
    expect(both.map(({ out }) => out).join('')).toContain('was decomposed from');
    expect(await said(cwd, 'status')).toContain('Total: 8');
  });

  it('verify routes to the fixer on FAIL, back to verification, and on to the next phase on PASS [QR-38, QR-39, QR-58, QR-59, QR-60]', async () => {
    const cwd = await planned();
    const first = await run(cwd, 'verify');
    expect(first.code).toBe(50);
    expect(first.out).toContain(
      'Failed items:\n- plan-structure-006: Acceptance criteria missing for M2\n',
    );
    expect(first.out.trimEnd().split('\n').at(-1)).toBe('NEXT: Invoke fixer with failed items.');
    const prompt = await run(cwd, 'fix', '--qr-fail');
    expect(prompt.out).toContain('FAILED QR ITEMS TO FIX (address these FIRST):');
    expect(prompt.out).toContain(
      '[plan-structure-006] Milestone M2 has acceptance criteria.\n    Scope: milestone:M2\n    Finding: Acceptance criteria missing for M2',
    );
    expect(await said(cwd, 'fix')).toContain(
      'FIX GUIDANCE\n\nItem plan-structure-006: Acceptance criteria missing for M2\nScope: milestone:M2\nFix: Add acceptance criteria to milestone M2 definition. Include:\n  Success conditions\n',
    );
    await writeFile(
      join(cwd, 'plan.md'),
      `${plan}\nAcceptance criteria:\n- writes what was read\n`,
    );
    expect(await run(cwd, 'fix', '--applied')).toEqual({
      code: 0,
      out: 'Fixes applied\n',
      err: '',
    });
    const again = await run(cwd, 'verify');
    expect(again.out).toMatch(
      /Status: FAIL\nItems: 8 total, 5 PASS, 0 FAIL, 3 TODO\nUnverified items:\n/,
    );
    for (const id of ['002', '005', '008'])
      expect((await run(cwd, 'update', `plan-structure-${id}`, '--status', 'pass')).code).toBe(0);
    expect(await run(cwd, 'verify')).toEqual({
      code: 0,
      out: 'VERIFICATION COMPLETE\n\nStatus: PASS\nItems: 8 total, 8 PASS, 0 FAIL\n\nNEXT: Continue to next phase.\n',
      err: '',
    });
    expect(await run(cwd, 'verify', '--bit')).toEqual({ code: 0, out: 'PASS\n', err: '' });
    await writeFile(join(cwd, 'plan.md'), plan);
    expect(await run(cwd, 'verify', '--bit')).toEqual({ code: 50, out: 'FAIL\n', err: '' });
  });

  it('update answers as observed, and every change counts', async () => {
    const cwd = await planned();
    const result = (version: number) =>
      `<entity_result>\n  <id>plan-structure-002</id>\n  <version>${version}</version>\n  <operation>updated</operation>\n</entity_result>\n`;
    const update = (id: string, ...more: string[]) =>
      run(cwd, 'update', `plan-structure-${id}`, '--status', ...more);
    expect((await update('002', 'FAIL', '--finding', 'one')).out).toBe(result(2));
    const second = await update('002', 'fail', '--finding', 'two', '--severity', 'could');
    expect(second.out).toBe(result(3));
    const failed = await said(cwd, 'list', '--status', 'FAIL');
    expect(failed).toBe('plan-structure-002\tFAIL | two\n');
    expect((await update('002', 'PASS')).out).toBe(result(4));
    expect(await said(cwd, 'list', '--status', 'PASS')).toBe('plan-structure-002\tPASS\n');
    const place = ['--evidence', 'reads every fixture', '--location', 'plan.md:5-6'];
    const vague = ['FAIL', '--finding', 'vague', '--fix', 'say how', ...place];
    expect((await update('005', ...vague)).code).toBe(0);
    expect(await said(cwd, 'fix')).toContain(
      'Item plan-structure-005: vague\nScope: milestone:M1\nFix: say how\n  Found in plan.md:5-6: "reads every fixture"',
    );
    const at = (where: string) => update('008', 'FAIL', '--finding', 'x', '--location', where);
    expect((await at('plan.md')).code).toBe(0);
    expect(await at('plan.md:0')).toEqual(
      error('--location is a path, path:12 or path:12-15, got plan.md:0'),
    );
  });

  it('refuses with the observed messages, on the standard output, with exit code 1', async () => {
    const cwd = await planned();
    const id = 'plan-structure-002';
    const finding = ['--status', 'FAIL', '--finding', 'x'];
    const rows: [string, ...string[]][] = [
      ['Invalid status: MAYBE. Must be PASS or FAIL.', id, '--status', 'MAYBE'],
      ['Status FAIL requires --finding to explain what failed.', id, '--status', 'FAIL'],
      [
        'Status PASS forbids --finding. PASS means no issues found.',
        ...[id, '--status', 'PASS', '--finding', 'x'],
      ],
      ['Invalid severity: X. Must be MUST, SHOULD, or MAY', id, ...finding, '--severity', 'X'],
      ['--status required (PASS or FAIL)', id],
      ['Item nope not found in qr-plan-structure.json', 'nope', '--status', 'PASS'],
    ];
    for (const [message, ...argv] of rows)
      expect(await run(cwd, 'update', ...argv)).toEqual(error(message));
    await run(cwd, 'update', id, '--status', 'PASS');
    expect(await run(cwd, 'update', id, ...finding)).toEqual(
      error(`Item ${id} has terminal status PASS. Cannot transition to FAIL.`),
    );
    expect(await run(cwd, 'accept', id)).toEqual(error('--reason required'));
    expect(await run(cwd, 'nonsense')).toEqual({
      ...error('Unknown command: nonsense'),
      err: expect.any(String),
    });
    const other = (...argv: string[]) => runCli(cwd, ['checklist', ...argv]);
    const state = ['--state-dir', '.qr'];
    expect(await other('list', ...state)).toEqual(error('--qr-phase required'));
    expect(await other('list', '--phase', 'plan-code')).toEqual(error('--state-dir required'));
    const outside = await other('list', '--phase', '../x', ...state);
    expect(outside.out).toContain('Invalid phase: ../x');
    const missing = await other('verify', '--phase', 'plan-code', ...state);
    expect(missing.out).toContain('QR state file not found: qr-plan-code.json');
  });

  it('status counts as observed, and QR-10: no count is stored', async () => {
    const cwd = await planned();
    await run(cwd, 'verify');
    expect(await run(cwd, 'status')).toEqual({
      code: 0,
      out: 'Phase: plan-structure\nTotal: 8\n  FAIL: 1\n  PASS: 4\n  TODO: 3\n',
      err: '',
    });
    const text = await readFile(join(cwd, '.qr/qr-plan-structure.json'), 'utf8');
    expect(Object.keys(JSON.parse(text)).join(' ')).toBe(
      'schema_version phase iteration items inputs',
    );
  });

  it('exports schema 1.0 with exactly five fields [QR-26, QR-28, D001-03]', async () => {
    const cwd = await planned();
    const state = JSON.parse(await said(cwd, 'list', '--schema', '1.0')) as {
      items: object[];
    };
    expect(state).toMatchObject({ schema_version: '1.0', phase: 'plan-structure' });
    for (const item of state.items)
      expect(Object.keys(item)).toEqual(['id', 'scope', 'check', 'status', 'finding']);
    expect((await run(cwd, 'list', '--schema', '9')).code).toBe(1);
  });

  it('a file that cannot be read fails closed and is left as it is', async () => {
    for (const [text, found] of [
      ['{"phase":', 'is corrupt'],
      ['{"schema_version":"2.0"}', 'has schema 2.0'],
      ['', 'is corrupt'],
    ] as const) {
      const cwd = await folderOf({ 'plan.md': plan, '.qr/qr-plan-structure.json': text });
      for (const command of [
        ['decompose', 'plan.md'],
        ['verify'],
        ['list'],
        ['fix', '--applied'],
        ['update', 'x', '--status', 'PASS'],
      ]) {
        expect(await run(cwd, ...command)).toMatchObject(ending(1, found));
      }
      expect(await readFile(join(cwd, '.qr/qr-plan-structure.json'), 'utf8')).toBe(text);
    }
  });

  it('accepts at the ceiling, with an entry in the audit log', async () => {
    const cwd = await planned();
    const accept = ['accept', 'plan-structure-006', '--reason', 'known', '--by', 'Ada'];
    for (let cycle = 1; cycle < 5; cycle += 1) {
      await run(cwd, 'verify');
      expect(await said(cwd, ...accept)).toContain('cannot be accepted yet');
      await run(cwd, 'fix', '--applied');
    }
    expect(await said(cwd, 'verify')).toContain(
      'NEXT: Ask the person in charge to decide on the failed items.',
    );
    expect(await said(cwd, ...accept)).toContain('<operation>accepted</operation>');
    expect(JSON.parse(await readFile(join(cwd, '.qr/audit.jsonl'), 'utf8'))).toMatchObject({
      kind: 'checklist.accept',
      who: 'Ada',
      reason: 'known',
    });
    expect(await said(cwd, 'verify')).toContain('4 PASS, 1 FAIL, 3 TODO');
    for (const id of ['002', '005', '008'])
      await run(cwd, 'update', `plan-structure-${id}`, '--status', 'PASS');
    expect(await said(cwd, 'verify')).toContain('Status: PASS');
  });

  it('lists a line for each item, and the state as it is', async () => {
    const cwd = await planned();
    await run(cwd, 'verify');
    expect((await said(cwd, 'list')).split('\n').slice(0, 2)).toEqual([
      'plan-structure-001\tPASS',
      'plan-structure-002\tTODO',
    ]);
    expect(await run(cwd, 'list', '--status', 'odd')).toEqual(
      error('Invalid status: odd. Must be TODO, PASS or FAIL.'),
    );
    expect(await said(cwd, 'list', '--schema', '1.1')).toBe(
      await readFile(join(cwd, '.qr/qr-plan-structure.json'), 'utf8'),
    );
  });

  it('status and verify take other paths than the decomposition', async () => {
    const cwd = await planned();
    await run(cwd, 'verify');
    await writeFile(
      join(cwd, 'other.md'),
      plan.replace('## M2: Writer', '## M2: Writer\nAcceptance criteria:\n- writes each fixture'),
    );
    expect(await said(cwd, 'verify', 'other.md')).toContain('5 PASS, 0 FAIL, 3 TODO');
    expect(await said(cwd, 'status', 'other.md')).toContain('PASS: 5');
    expect(await said(cwd, 'status', 'plan.md')).toContain('PASS: 2\n  TODO: 6');
    const bare = await folderOf({
      'plan.md': plan,
      '.qr/qr-plan-structure.json': await said(cwd, 'list', '--schema', '1.0'),
    });
    expect(await run(bare, 'verify', 'plan.md')).toMatchObject(
      failing(50, 'has no severity; it is read as MUST'),
    );
    expect(await said(bare, 'verify', 'plan.md', '--trust-unhashed')).toContain('Status: FAIL');
    expect((await run(bare, 'update', 'plan-structure-002', '--status', 'PASS')).code).toBe(0);
    expect(await run(bare, 'decompose')).toEqual(error('the paths to review are required'));
  });

  it('reads the folder that it stands in, also from elsewhere', async () => {
    const cwd = await folderOf({ 'deep/work/plan.md': plan, 'plan.md': '# Another plan\n' });
    const folder = 'deep/work';
    const elsewhere = ['--phase', 'plan-structure', '--state-dir', folder];
    expect((await runCli(cwd, ['checklist', 'decompose', folder, ...elsewhere])).code).toBe(0);
    const here = ['--phase', 'plan-structure', '--state-dir', '.'];
    for (const verified of [
      await runCli(cwd, ['checklist', 'verify', ...elsewhere]),
      await runCli(join(cwd, folder), ['checklist', 'verify', ...here]),
    ])
      expect(verified.out).toContain('8 total, 4 PASS, 1 FAIL, 3 TODO');
  });

  it('asks a service at another address, for items and for verdicts', async () => {
    const seen: string[] = [];
    const mock = await aimockService(async (request) => {
      seen.push(request.messages.map(({ content }) => content).join('\n'));
      const items = [{ scope: 'milestone:M1', check: 'Can M1 be rolled back?', severity: 'MUST' }];
      const answers = questionsIn(request).map((_, index) => ({
        question: index + 1,
        answer: 'yes',
        reason: 'it can',
      }));
      return JSON.stringify({
        token: tokenOf(request),
        ...(answers.length > 0 ? { answers } : { items }),
      });
    });
    const at = ['--provider', 'openai', '--model', 'served', '--base-url', `${mock.url}/v1`];
    const cwd = await folderOf({ 'plan.md': plan });
    expect(await said(cwd, 'decompose', 'plan.md', ...at)).toContain(
      'Can M1 be rolled back? (scope: milestone:M1)',
    );
    expect(await run(cwd, 'verify', ...at)).toMatchObject(ending(50, '9 total, 8 PASS, 1 FAIL\n'));
    expect(
      seen.some(
        (asked) => asked.includes('Can M1 be rolled back?') && asked.includes('Question 1'),
      ),
    ).toBe(true);
    expect(await run(cwd, 'verify', '--provider', 'nobody')).toMatchObject(ending(1, 'nobody'));
    expect(await run(cwd, 'verify', '--base-url', mock.url)).toMatchObject(
      ending(1, '--base-url requires --provider'),
    );
  });

  it('without a command says which there are; what was cancelled is no answer', async () => {
    expect((await runCli(await folderOf(), ['checklist'])).out).toContain(
      'A command is required: decompose, verify, fix, status, list, update or accept',
    );
    const cwd = await planned();
    expect(
      await runCli(cwd, ['checklist', 'verify', ...common], { signal: AbortSignal.abort() }),
    ).toMatchObject({ code: 130, out: '' });
  });
});

/** Two milestones lack acceptance criteria and code intents: failures by rules. */
const bare = '# A plan\n\n## M1: Parser\nText only.\n\n## M2: Writer\nText only.\n';

type SavedItem = Pick<ChecklistItem, 'id' | 'status' | 'finding'> & { iteration: number };
interface Saved {
  iteration: number;
  items: SavedItem[];
}

async function edit(cwd: string, change: (state: Saved) => void): Promise<void> {
  const path = join(cwd, '.qr/qr-plan-structure.json');
  const state = JSON.parse(await readFile(path, 'utf8')) as Saved;
  change(state);
  await writeFile(path, JSON.stringify(state));
}

async function stateOf(cwd: string): Promise<Saved> {
  return JSON.parse(await readFile(join(cwd, '.qr/qr-plan-structure.json'), 'utf8')) as Saved;
}

/** A verified checklist with failures by rules, and one of them. */
async function failed() {
  const cwd = await folderOf({ 'plan.md': bare });
  await run(cwd, 'decompose', 'plan.md');
  expect((await run(cwd, 'verify')).code).toBe(50);
  const item = (await stateOf(cwd)).items.find(({ status }) => status === 'FAIL');
  return { cwd, id: item?.id ?? '' };
}

describe('a failure by a rule [R3-121]', () => {
  it.each([
    ['--status', 'PASS'],
    ['--status', 'pass'],
    ['--status', 'FAIL', '--finding', 'odd', '--severity', 'MAY'],
  ])('is not changed by an update: %s %s %s', async (...update) => {
    const { cwd, id } = await failed();
    const before = await stateOf(cwd);
    expect(await run(cwd, 'update', id, ...update)).toMatchObject(
      ending(1, `Item ${id} is verified by the rule`),
    );
    expect(await stateOf(cwd)).toEqual(before);
    await run(cwd, 'fix', '--applied');
    expect((await run(cwd, 'update', id, ...update)).code).toBe(1);
    expect(await said(cwd, 'verify')).toContain(`- ${id}:`);
  });

  it('changes with its content', async () => {
    const { cwd, id } = await failed();
    const fixed = bare.replaceAll(
      'Text only.',
      'Acceptance criteria:\n- works\n\nCode intent:\n- x',
    );
    await writeFile(join(cwd, 'plan.md'), fixed);
    await run(cwd, 'fix', '--applied');
    expect((await stateOf(cwd)).iteration).toBe(2);
    expect(await said(cwd, 'verify')).not.toContain(`- ${id}:`);
  });
});

describe('an iteration', () => {
  it('without a change of content relaxes nothing [R3-122]', async () => {
    const { cwd, id } = await failed();
    for (let round = 0; round < 4; round += 1) {
      expect(await said(cwd, 'fix', '--applied')).toBe('Fixes applied\n');
      const { out } = await run(cwd, 'verify');
      expect(out).toContain(`- ${id}:`);
    }
    const { iteration, items } = await stateOf(cwd);
    expect(iteration).toBe(5);
    const open = items.filter(({ status }) => status === 'FAIL');
    expect((await said(cwd, 'fix')).match(/^Item /gm)).toHaveLength(open.length);
    expect(await said(cwd, 'verify')).toContain('NEXT: Ask the person in charge');
  });

  it.each([
    ['of the state', 9, undefined],
    ['of the state and its items', 9, 9],
    ['of its items', undefined, 7],
  ])('that nothing reset is refused, %s by hand [R3-122]', async (_, own, ofItems) => {
    const { cwd } = await failed();
    await edit(cwd, (state) => {
      state.iteration = own ?? state.iteration;
      for (const item of state.items) item.iteration = ofItems ?? item.iteration;
    });
    expect(await run(cwd, 'verify')).toMatchObject(ending(1, 'is corrupt: its iteration is'));
  });
});

it.each([1, 3, 5, 9])(
  'an item without a verdict passes in no iteration, and is named: %i [R3-122]',
  async (from) => {
    const blocking = [{ from: 1, blocks: 'MUST' as const }];
    const verify = ({ severity }: ChecklistItem) =>
      severity === 'MUST' ? (true as const) : { skipped: 'no judge' };
    const gate = await decomposed({ blocking, verify, maxIterations: from });
    const { status, unverified, text } = await gate.verify(work());
    expect({ status, ids: unverified.map(({ id }) => id) }).toEqual({
      status: 'FAIL',
      ids: ['plan-structure-002', 'plan-structure-003'],
    });
    expect(text).toContain('1 PASS, 0 FAIL, 2 TODO');
    expect(text).toContain('- plan-structure-003: not verified: no judge');
    const { outcome } = await gateOf({ blocking, verify }).run(work());
    expect(outcome.status).toBe('inconclusive');
  },
);

describe('an acceptance', () => {
  it('without its audit record is none [R3-122]', async () => {
    const { cwd, id } = await failed();
    await edit(cwd, ({ items }) => {
      for (const item of items)
        if (item.status === 'FAIL') Object.assign(item, { accepted: { by: 'Ann', reason: 'ok' } });
    });
    expect(await said(cwd, 'verify')).toContain(`Failed items:\n- ${id}:`);
    expect(await said(cwd, 'fix')).toContain(`Item ${id}:`);
  });

  it('counts with its record for this finding, wherever its log is', async () => {
    const { cwd } = await failed();
    for (let round = 2; round <= 5; round += 1) {
      await run(cwd, 'fix', '--applied');
      await run(cwd, 'verify');
    }
    const state = await stateOf(cwd);
    const open = state.items.filter(({ status }) => status === 'FAIL').map(({ id }) => id);
    expect({ iteration: state.iteration, open: open.length > 0 }).toEqual({
      iteration: 5,
      open: true,
    });
    for (const id of open) await run(cwd, 'accept', id, '--reason', 'known', '--audit', 'log');
    const failing = async (...more: string[]) =>
      (await said(cwd, 'verify', ...more)).includes('Failed items:');
    expect([await failing(), await failing('--audit', 'log')]).toEqual([true, false]);
    await edit(cwd, ({ items }) => {
      for (const item of items) if (item.finding !== null) item.finding = 'something else';
    });
    expect(await failing('--audit', 'log')).toBe(true);
  });
});
