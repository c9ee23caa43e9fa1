import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type JudgeServer, judgeServer } from '../support/judge-server.js';
import { ending, words } from '../support/matchers.js';
import { itInTerminal, type Terminal, terminal } from '../support/tmux.js';
import { bin, type Exit, run } from './cli-harness.js';
import { faults, goodCode, poorCode, repositoryWith } from './stage-repository.js';

const timeout = 60_000;

function argsFor(server: JudgeServer, ...more: string[]): string[] {
  const args = words('review --diff --task TASK.md --provider openai:served --base-url');
  return [...args, server.url, ...more];
}

/** A repository with this work, a judge of it, and how they are reviewed. */
async function stageOf(code: string) {
  const server = await judgeServer(faults);
  const repository = repositoryWith(code);
  const { cwd } = repository;
  const kept = () => {
    const [id = ''] = readdirSync(join(cwd, '.reviewloop/runs'));
    return { id, folder: join(cwd, '.reviewloop/runs', id) };
  };
  const summary = (): Record<string, unknown> =>
    JSON.parse(readFileSync(join(kept().folder, 'summary.json'), 'utf8'));
  const review = (...more: string[]): Promise<Exit> => run(cwd, argsFor(server, ...more));
  /** Types into the command, as it stands in a real terminal. */
  const atTerminal = (...more: string[]): Terminal => {
    const args = argsFor(server, ...more).map((arg) => `'${arg}'`);
    return terminal(
      `cd '${cwd}' && '${process.execPath}' '${bin}' ${args.join(' ')}; echo "EXIT $?"; sleep 60`,
    );
  };
  return { server, repository, kept, summary, review, atTerminal };
}

describe('the scenarios of seed 003, through the command', () => {
  it('Scenario 1 (RV-67, RV-60, RV-105, RV-20): ReviewerE2ETests.Should_Complete_Good_Task: good work is approved in every dimension', {
    timeout,
  }, async () => {
    const { server, review } = await stageOf(goodCode);
    const exit = await review('--verify', 'test -f src/email.js');
    expect(exit.code).toBe(0);
    expect(exit.out).toMatch(
      /^\[VERIFIER\] All checks passed ✓\n\n\[REVIEWER\] Reviewing implementation\.\.\.\n\n {2}Quality Assessment:\n(?: {4}✓ [A-Z][A-Za-z ]+: Excellent\n {6}.+\n){5}\n {2}Decision: APPROVED\n\n\[COMPLETE\] Task finished successfully\n/,
    );
    expect(server.prompts).toHaveLength(5);
  });

  it('approved work ends with 0, rejected work does not [EXIT-0]', { timeout }, async () => {
    for (const [code, ended] of [
      [goodCode, 0],
      [poorCode, 50],
    ] as const)
      expect(await (await stageOf(code)).review('--quiet')).toMatchObject({ code: ended });
  });

  it('Scenario 2 (RV-68, RV-107, RV-01): poor work is rejected although its own checks pass, with the issues and what to do', {
    timeout,
  }, async () => {
    const exit = await (await stageOf(poorCode)).review('--verify', 'true');
    expect(exit.code).toBe(50);
    expect(exit.out).toContain('[VERIFIER] All checks passed ✓');
    expect(exit.out).toMatch(
      /✗ Code Quality: Needs Work\n(?: {6}- .+\n)* {6}- Missing error handling for null input/,
    );
    expect(exit.out).toMatch(
      /Decision: REJECTED\n {2}Reason: code_quality is needs_work[^\n]*\n\n {2}Feedback:\n(?: {2}- .+\n)* {2}- src\/email\.js:1: Missing error handling for null input -> Return false for what is no text/,
    );
    expect(exit.out).not.toContain('[COMPLETE]');
  });

  it('Scenario 3 (RV-69, RV-61, RV-108, RV-05, AC-024): ReviewerE2ETests.Should_Reject_And_Retry: feedback goes to the planner, the plan is revised, the new work reviewed', {
    timeout,
  }, async () => {
    const { server, repository, review, summary } = await stageOf(poorCode);
    repository.write('good.txt', goodCode);
    repository.write('PLAN.md', 'the first plan');
    repository.write(
      'plan.sh',
      'cat > feedback.txt; cp good.txt src/email.js; echo "the second plan: look at null first"\n',
    );
    repository.write(
      'reviewloop.config.yaml',
      'reviewer:\n  replan: sh plan.sh\n  max_cycles: 2\n',
    );
    const exit = await review('--plan', 'PLAN.md', 'src');
    const given = readFileSync(join(repository.cwd, 'feedback.txt'), 'utf8');
    expect(exit.out).toMatch(
      /Code Quality: Needs Work[\s\S]*\[ORCHESTRATOR\] Cycling to Planner for revision\n {2}Feedback: ".*Return false for what is no text.*"\n\n\[PLANNER\] Re-planning \(v2\)\.\.\.\n\n\[REVIEWER\] Reviewing implementation/,
    );
    expect(given).toContain('src/email.js:1');
    expect(given).toContain(
      'Missing error handling for null input -> Return false for what is no text',
    );
    for (const prompt of server.prompts.slice(0, 5)) expect(prompt).toContain('the first plan');
    expect(server.prompts.at(-1)).toContain('the second plan: look at null first');
    expect(exit.code).toBe(0);
    expect(summary()).toMatchObject({ decision: 'APPROVED', outcome: 'completed', cycles: 1 });
  });

  describe('Scenario 4 (RV-70, RV-31, RV-32, RV-110, NFR-011)', () => {
    itInTerminal('a person sees the work, looks at changes and details, and approves', async () => {
      const { repository, atTerminal } = await stageOf(goodCode);
      repository.write('TASK.md', 'Add \u001b]0;owned\u0007email\u202e validation');
      repository.write(
        '.agent/config.yml',
        'reviewer:\n  human_review: prompt\nother: [1, 2\n  , 3]\n',
      );
      const { until, type } = atTerminal('src');
      const screen = await until(/Human Review Required:[\s\S]*decide later/);
      expect(screen).toMatch(
        /\[REVIEWER\] LLM review: APPROVED\n\nHuman Review Required:\n─+\nTask: Add email validation\n\nChanges:\n {2}\+ src\/email\.js \(5 lines\)\n\nAssessment: All quality dimensions passed/,
      );
      type('x');
      type('v');
      await until(/\+export function isEmail[\s\S]*decide later/);
      type('d');
      await until(/Quality Assessment:[\s\S]*Safety: Excellent[\s\S]*decide later/);
      type('a');
      expect(await until(/EXIT \d+/)).toMatch(
        /✓ Approved by user[\s\S]*\[COMPLETE\] Task finished[\s\S]*EXIT 0/,
      );
      expect(readFileSync(join(repository.cwd, '.reviewloop/audit.jsonl'), 'utf8')).toContain(
        '"decision":"approve"',
      );
    });
  });

  itInTerminal('a person declines: 51, and the reason of the code', async () => {
    const { until, type, press } = (await stageOf(goodCode)).atTerminal(
      '--human',
      'require',
      'src',
    );
    await until(/Human Review Required:[\s\S]*decide later/);
    type('r');
    await until(/Reason \(optional\):/);
    press('Enter');
    expect(await until(/EXIT \d+/)).toMatch(
      /Declined by user[\s\S]*Decision: REJECTED[\s\S]*ACODE-REVIEW-004[\s\S]*EXIT 51/,
    );
  });

  itInTerminal(
    'a person who leaves approves nothing: suspended, and the command that answers works',
    async () => {
      for (const key of ['C-c', 'C-d'] as const) {
        const { server, repository, kept, atTerminal } = await stageOf(goodCode);
        const { until, press } = atTerminal('--human', 'prompt', 'src');
        await until(/Human Review Required:[\s\S]*decide later/);
        press(key);
        const screen = await until(/EXIT \d+/);
        expect(screen).toMatch(/next: reviewloop answer \S+ approve[\s\S]*EXIT 53/);
        const asked = server.prompts.length;
        expect(await run(repository.cwd, ['answer', kept().id, 'approve'])).toMatchObject(
          ending(0, '✓ Approved by user'),
        );
        expect(server.prompts).toHaveLength(asked);
      }
    },
  );

  describe('Scenario 5 (RV-71, RV-62, RV-33, RV-34, RV-111): ReviewerE2ETests.Should_Handle_Override', () => {
    itInTerminal('a reason lets rejected work through, and is kept for audit', async () => {
      const { summary, atTerminal } = await stageOf(poorCode);
      const { until, type, press } = atTerminal('src');
      await until(/Decision: REJECTED[\s\S]*Override review rejection\? \[y\/N\]/);
      type('y');
      press('Enter');
      await until(/Reason for override:/);
      press('Enter');
      await until(/This needs a reason/);
      type('Acceptable for prototype');
      press('Enter');
      const screen = (await until(/EXIT \d+/)).replace(/[ \t]+$/gm, '');
      expect(screen).toMatch(
        /\n⚠ Review rejection overridden\n {2}Reason: Acceptable for prototype\n {2}Logged for audit\n\n\[COMPLETE\] Task finished \(with override\)\n\nAPPROVED BY \S+, against 3 gaps\nstatus: accepted\nstored: \S+\nnext: reviewloop runs \S+ --summary\nEXIT 0\n/,
      );
      expect(screen).toMatch(/^ {2}Quality Assessment:$/m);
      expect(summary()).toMatchObject({
        decision: 'REJECTED',
        outcome: 'overridden',
        overrideReason: 'Acceptable for prototype',
      });
    });
  });

  describe('RV-33, D003-04', () => {
    itInTerminal('Enter alone is No, and the rejection stays', async () => {
      const { until, press } = (await stageOf(poorCode)).atTerminal('src');
      await until(/Override review rejection\? \[y\/N\]/);
      press('Enter');
      expect(await until(/EXIT \d+/)).toMatch(/ or: reviewloop override[\s\S]*EXIT 50/);
    });
  });

  it('overrides and answers are in the audit trail, which shows any change [RV-13, NFR-012, FR-063, FR-064, AC-039, AC-040]', {
    timeout,
  }, async () => {
    const { repository, kept, review } = await stageOf(poorCode);
    await review('--quiet');
    const { id, folder } = kept();
    expect(await run(repository.cwd, ['override', id])).toMatchObject({ code: 2 });
    const reason = ['--reason', 'Acceptable for prototype', '--by', 'ann'];
    expect(await run(repository.cwd, ['override', id, ...reason])).toMatchObject(
      ending(0, '⚠ Review rejection overridden'),
    );
    const log = join(repository.cwd, '.reviewloop/audit.jsonl');
    expect(JSON.parse(readFileSync(log, 'utf8'))).toMatchObject({
      kind: 'override',
      who: 'ann',
      runId: id,
      decision: 'override',
      reason: 'Acceptable for prototype',
      verdict: expect.stringContaining('exhausted') as string,
    });
    expect((await run(repository.cwd, ['audit', 'verify'])).code).toBe(0);
    repository.write('.reviewloop/audit.jsonl', readFileSync(log, 'utf8').replace('ann', 'bob'));
    expect((await run(repository.cwd, ['audit', 'verify'])).code).toBe(1);
    expect(readFileSync(join(folder, 'log.jsonl'), 'utf8')).toContain('"outcome":"overridden"');
  });

  it('Scenario 6 (RV-72, RV-57, RV-07, RV-109): ReviewerIntegrationTests.Should_Persist_Summary: changes, notes and decision are kept, and shown later', {
    timeout,
  }, async () => {
    const { repository, kept, review, summary } = await stageOf(goodCode);
    await review('--session', 'abc123');
    const told = await run(repository.cwd, ['runs', '--summary']);
    expect(told.out).toMatch(
      /^Task Summary: Add email validation.*\nSession: abc123\nStatus: COMPLETED\n\nChanges Made:\n {2}\+ src\/email\.js \(new\)\n\nReviewer Notes:\n {2}- Intent Alignment: .+\n[\s\S]*Quality Assessment: APPROVED\n[\s\S]*\nDecided by: the reviewers\nCompleted: \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\nDuration: (?:\d+h )?(?:\d+m )?\d+s\n$/,
    );
    expect(readFileSync(join(kept().folder, 'summary.md'), 'utf8')).toMatch(
      /^# APPROVED: Add email validation[\s\S]*## Changes\n\n- new: src\/email\.js \(\+5 -0\)/,
    );
    expect(summary()).toMatchObject({
      sessionId: 'abc123',
      decision: 'APPROVED',
      base: expect.stringMatching(/^[0-9a-f]{40}$/) as string,
      changes: [{ path: 'src/email.js', kind: 'new', added: 5 }],
    });
    expect(summary()['durationMs']).toBeGreaterThan(0);
  });

  it('Scenario 7 (RV-73): a review out of time is handled, and escalates to a person who may let it through', {
    timeout,
  }, async () => {
    const { server, repository, kept, review } = await stageOf(goodCode);
    server.hang();
    repository.write('.agent/config.yml', 'reviewer:\n  timeout_seconds: 0.5\n');
    const exit = await review('src');
    expect(exit.code).toBe(52);
    expect(exit.out).toMatch(
      /Decision: INCONCLUSIVE\n[\s\S]*ACODE-REVIEW-003[\s\S]*next: reviewloop review .* # asks the failed judges again\n {2}or: reviewloop override/,
    );
    expect(exit.out).toMatch(/status: timed_out/);
    expect(exit.out).not.toMatch(/\[COMPLETE\]|timeouts\./);
    const override = ['override', kept().id, '--reason', 'looked at it myself'];
    expect(await run(repository.cwd, override)).toMatchObject({ code: 0 });
  });
});
