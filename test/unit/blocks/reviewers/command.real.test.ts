import { readdirSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { definePipeline, reviewOutput } from '@/blocks/pipeline/define-pipeline.js';
import { command } from '@/blocks/reviewers/command/command.js';
import type { CommandOptions } from '@/blocks/reviewers/command/command-options.js';
import { endOf, shorten } from '@/blocks/reviewers/command/command-result.js';
import { limiter } from '@/ports/limiter.js';
import { memoryStore } from '@/ports/memory-store.js';
import { type AgentOutput, agentRequest } from '@/products/self-review/agent.js';
import { erroredBy } from '../../../support/matchers.js';
import { tempFolder } from '../../../support/temp-folder.js';
import { throwing } from '../../../support/throwing.js';

const output: AgentOutput = {
  artifacts: [
    { type: 'code', path: 'src/a.js', content: 'export const a = 1;\n' },
    { type: 'code', path: '../up.txt', content: 'up' },
  ],
};
const node = (script: string): string[] => [process.execPath, '-e', script];

async function assessed(
  options: Partial<CommandOptions<AgentOutput>> & Pick<CommandOptions, 'run'>,
) {
  const { review } = await reviewOutput({
    task: agentRequest('x'),
    output,
    reviewers: [command<AgentOutput>({ id: 'cmd', ...options })],
  }).then((found) => ({ review: found }));
  const [assessment] = review.assessments;
  if (assessment === undefined) throw new Error('nothing was assessed');
  return assessment;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('command: the exit code decides', () => {
  it('passes with 0, fails with anything else and quotes the end of the output', async () => {
    expect(await assessed({ run: node('console.log("fine")') })).toMatchObject({
      verdict: 'pass',
      score: 1,
      explanation: expect.stringContaining('fine'),
    });
    expect(
      await assessed({
        run: node('console.log("start"); console.error("the end"); process.exit(3)'),
        severity: 'critical',
      }),
    ).toMatchObject({
      verdict: 'fail',
      gaps: [
        {
          severity: 'critical',
          criterionId: 'cmd',
          evidence: 'start\nthe end',
          description: expect.stringContaining('exited with 3'),
        },
      ],
    });
    expect(await assessed({ run: node('process.exit(2)'), passExitCodes: [0, 2] })).toMatchObject({
      verdict: 'pass',
    });
  });

  it('a line goes to the shell, a list does not', async () => {
    expect(await assessed({ run: 'echo one && exit 4' })).toMatchObject({
      verdict: 'fail',
      gaps: [{ evidence: 'one' }],
    });
    expect(
      await assessed({
        run: [
          process.execPath,
          '-e',
          'process.exit(process.argv[1] === "$(exit 1); `id`" ? 0 : 1)',
          '$(exit 1); `id`',
        ],
      }),
    ).toMatchObject({ verdict: 'pass' });
  });

  it('no verdict where it cannot start, is killed or takes too long', async () => {
    expect(await assessed({ run: ['no-such-command-anywhere'] })).toMatchObject(
      erroredBy('process_not_found'),
    );
    expect(await assessed({ run: 'no-such-command-anywhere' })).toMatchObject(
      erroredBy('process_not_found'),
    );
    expect(await assessed({ run: node('process.kill(process.pid, "SIGKILL")') })).toMatchObject(
      erroredBy('process_failed'),
    );
    expect(
      await assessed({ run: node('setInterval(() => {}, 1000)'), timeoutMs: 300 }),
    ).toMatchObject({ verdict: 'errored', error: { code: 'process_timeout' } });
    expect(await assessed({ run: node(''), cwd: '/no/such/folder' })).toMatchObject(
      erroredBy('invalid_options'),
    );
  });

  it('an error in the report fails although the exit is good; warnings are remarks', async () => {
    const report = (severity: number): string =>
      JSON.stringify([
        { filePath: '/x/src/a.js', messages: [{ ruleId: 'r', severity, message: 'bad', line: 1 }] },
      ]);
    expect(
      await assessed({ run: node(`console.log(${JSON.stringify(report(2))})`) }),
    ).toMatchObject({
      verdict: 'fail',
      gaps: [{ severity: 'major', description: 'cmd: bad (r)' }],
    });
    expect(
      await assessed({ run: node(`console.log(${JSON.stringify(report(1))})`) }),
    ).toMatchObject({ verdict: 'pass', gaps: [{ severity: 'minor' }] });
    expect(
      await assessed({ run: node(`console.log(${JSON.stringify(report(1))}); process.exit(1)`) }),
    ).toMatchObject({ verdict: 'fail', gaps: [{ severity: 'minor' }, { severity: 'major' }] });
  });

  it('a report that was asked for and is not there, or is of another form, is no pass', async () => {
    expect(await assessed({ run: node(''), parse: 'sarif' })).toMatchObject(
      erroredBy('report_unclear'),
    );
    expect(await assessed({ run: node(''), parse: 'junit', report: 'junit.xml' })).toMatchObject({
      verdict: 'errored',
    });
    const write =
      'require("node:fs").writeFileSync("junit.xml", "<testsuite name=\\"s\\"><testcase name=\\"t\\" file=\\"src/a.js\\" line=\\"1\\"><failure message=\\"no\\"/></testcase></testsuite>")';
    expect(await assessed({ run: node(write), parse: 'junit', report: 'junit.xml' })).toMatchObject(
      {
        verdict: 'fail',
        gaps: [{ description: 'cmd: s: t failed: no', location: { file: 'src/a.js', line: 1 } }],
      },
    );
  });

  it('a report that the command did not write is none, and a cut one neither', async () => {
    const passing = '<testsuite><testcase name="t"/></testsuite>';
    const junit = { run: node(''), parse: 'junit', report: 'junit.xml' } as const;
    const files = () => ({ 'junit.xml': passing });
    const unwritten = {
      verdict: 'errored',
      error: { message: expect.stringContaining('did not write its report junit.xml') },
    };
    expect(await assessed({ ...junit, files })).toMatchObject(unwritten);
    const cwd = tempFolder('reviewloop-command');
    await writeFile(join(cwd, 'junit.xml'), passing);
    expect(await assessed({ ...junit, cwd })).toMatchObject(unwritten);
    const write = `require("node:fs").writeFileSync("junit.xml", ${JSON.stringify(passing)})`;
    expect(await assessed({ ...junit, run: node(write), cwd })).toMatchObject({ verdict: 'pass' });
    await rm(cwd, { recursive: true });
    const long = node(`console.log("x".repeat(5000), ${JSON.stringify(passing)})`);
    for (const parse of ['junit', 'auto'] as const) {
      expect(await assessed({ run: long, parse })).toMatchObject({ verdict: 'pass' });
      expect(await assessed({ run: long, parse, maxOutputBytes: 1000 })).toMatchObject(
        erroredBy('report_unclear'),
      );
    }
  });

  it('takes findings of a function, and tells when it throws', async () => {
    expect(
      await assessed({
        run: node('console.log("x")'),
        parse: ({ stdout }) => [{ description: stdout.trim(), file: 'src/a.js', line: 1 }],
      }),
    ).toMatchObject({ verdict: 'fail', gaps: [{ description: 'cmd: x' }] });
    const bad = throwing('cannot');
    expect(await assessed({ run: node(''), parse: bad })).toMatchObject(
      erroredBy('criterion_threw'),
    );
  });
});

describe('command: files', () => {
  it('runs in a folder with the artifacts, whose paths stay inside, and removes it', async () => {
    const script =
      'const fs = require("node:fs"); console.log(process.cwd()); console.log(fs.readFileSync("src/a.js", "utf8") + fs.readdirSync(".").join()); console.log(process.cwd() + "/_up/up.txt:1:1: error: wrong")';
    const found = await assessed({ run: node(script) });
    expect(found).toMatchObject({
      verdict: 'fail',
      explanation: expect.stringMatching(/export const a = 1;[\s\S]*_up,src/),
      gaps: [{ location: { file: '../up.txt', line: 1 } }],
    });
    const folder =
      /^(\/\S*reviewloop-\S+)$/m.exec('explanation' in found ? found.explanation : '')?.[1] ?? '';
    expect(folder).not.toBe('');
    expect(readdirSync(tmpdir()).map((name) => join(tmpdir(), name))).not.toContain(folder);
  });

  it('runs in a workspace, and writes nothing there', async () => {
    const cwd = tempFolder('workspace');
    await writeFile(join(cwd, 'real.txt'), 'real');
    expect(
      await assessed({ run: node('console.log(require("node:fs").readdirSync(".").join())'), cwd }),
    ).toMatchObject({ verdict: 'pass', explanation: expect.stringMatching(/\nreal\.txt$/) });
    await rm(cwd, { recursive: true });
  });

  it('takes other files', async () => {
    expect(
      await assessed({
        run: ['cat', 'x/y.txt'],
        files: ({ artifacts }) => ({ 'x/y.txt': `${artifacts.length}` }),
      }),
    ).toMatchObject({ verdict: 'pass', explanation: expect.stringMatching(/\n2$/) });
    expect(await assessed({ run: ['true'], files: () => ({ a: 1 }) as never })).toMatchObject(
      erroredBy('criterion_invalid'),
    );
    expect(await assessed({ run: ['true'], files: () => ({ a: '1', 'a/b': '2' }) })).toMatchObject(
      erroredBy('output_unwritable'),
    );
  });
});

describe('command: output', () => {
  it('keeps both ends, cuts no character, strips colours and takes secrets out', async () => {
    const script =
      'console.log("BEGIN \\u001b[31mred\\u001b[0m token=ghp_" + "a1B2".repeat(10)); console.log("😀é".repeat(200_000)); console.log("THE END"); process.exitCode = 1';
    const found = await assessed({ run: node(script), maxOutputBytes: 20_001 });
    if (found.verdict !== 'fail') throw new Error(found.verdict);
    expect(found.explanation).toMatch(/BEGIN red token=\S*REDACTED/);
    expect(found.explanation).toMatch(/left out[\s\S]*THE END$/);
    for (const none of ['\u001b', 'a1B2a1B2', '\ufffd'])
      expect(found.explanation).not.toContain(none);
    expect(found.explanation.length).toBeLessThan(4200);
  });

  it('shortens at whole characters', () => {
    for (let most = 2; most < 20; most += 1) {
      expect(shorten('😀'.repeat(30), most)).toMatch(
        /^(?:😀)*\n\[\.\.\. \d+ characters left out \.\.\.\]\n(?:😀)*$/u,
      );
      expect(endOf('😀'.repeat(30), most)).toMatch(/^(?:😀)*$/u);
    }
    expect(shorten('abc', 3)).toBe('abc');
  });

  it('hands on no variables but those that are named', async () => {
    vi.stubEnv('REVIEWLOOP_SECRET_OF_TEST', 'x');
    expect(
      await assessed({
        run: node(
          'process.exit(process.env.REVIEWLOOP_SECRET_OF_TEST === undefined && process.env.MINE === "1" ? 0 : 1)',
        ),
        env: { MINE: '1' },
      }),
    ).toMatchObject({ verdict: 'pass' });
  });
});

describe('command: in a run', () => {
  it('ends its grandchildren when it takes too long, also stubborn ones', async () => {
    const grandchild = 'process.on("SIGTERM", () => {}); setTimeout(() => {}, 60_000)';
    const script = `const child = require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(grandchild)}], { stdio: "ignore" }); console.log("pid", child.pid); setInterval(() => {}, 1000)`;
    const found = await assessed({ run: node(script), timeoutMs: 1500 });
    if (found.verdict !== 'errored') throw new Error(found.verdict);
    const pid = Number(
      /pid (\d+)/.exec(JSON.stringify('value' in found.error ? found.error.value : ''))?.[1],
    );
    expect(pid).toBeGreaterThan(0);
    for (let tries = 0; tries < 500 && isAlive(pid); tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 10));
    expect(isAlive(pid)).toBe(false);
  });

  it('is recorded as a step, replayed, and holds a slot of the limiter', async () => {
    let running = 0;
    let most = 0;
    const shared = limiter({ concurrency: 1 });
    const watched = {
      ...shared,
      enter: (age: number, work: () => Promise<void>) =>
        shared.enter(age, async () => {
          running += 1;
          most = Math.max(most, running);
          await work();
          running -= 1;
        }),
    };
    const store = memoryStore();
    const pipeline = definePipeline({
      produce: async () => output,
      reviewers: [
        command({ id: 'one', run: node('setTimeout(() => {}, 50)') }),
        command({ id: 'two', run: node('console.log(Math.random())') }),
      ],
      limiter: watched,
      store,
      human: { policy: 'require' },
    });
    const first = await pipeline.run('task', { runId: 'r' });
    if (first.status !== 'suspended') throw new Error(first.status);
    expect(most).toBe(1);
    const done = await pipeline.answer(first.requests[0], { kind: 'approve', by: 'ann' });
    expect(done.status).toBe('approved');
    const said = ({ reviews }: Pick<typeof done, 'reviews'>): unknown =>
      reviews[0]?.assessments.map((assessment) =>
        'explanation' in assessment ? assessment.explanation : assessment,
      );
    expect(said(done)).toEqual(said(first));
  });

  it('an abort ends the command, and nothing passes', async () => {
    const controller = new AbortController();
    const pipeline = definePipeline({
      produce: async () => output,
      reviewers: [command({ id: 'slow', run: node('setInterval(() => {}, 1000)') })],
    });
    const run = pipeline.run('task', { signal: controller.signal });
    setTimeout(() => controller.abort(), 300);
    expect((await run).status).toBe('cancelled');
  });
});

describe('command: options', () => {
  it.each([
    [{ run: '' }, /run/],
    [{ run: [] }, /run/],
    [{ run: ['a', 1] }, /run/],
    [{ id: '' }, /id/],
    [{ parse: 'xml' }, /parse/],
    [{ passExitCodes: [] }, /passExitCodes/],
    [{ timeoutMs: 0 }, /timeoutMs/],
    [{ maxOutputBytes: 1 }, /maxOutputBytes/],
    [{ cwd: '.', files: () => ({}) }, /files/],
    [{ report: '../x' }, /report/],
    [{ severity: 'bad' }, /severity/],
    [{ category: 'bad' }, /category/],
    [{ shell: true }, /no option `shell`/],
  ])('%j is refused', (options, message) => {
    expect(() => command({ id: 'a', run: 'true', ...options } as never)).toThrow(message);
  });

  it('nothing at all is refused', () => {
    expect(() => command(undefined as never)).toThrow(/command takes a plain object of options/);
  });

  it('is a criterion too', async () => {
    const criterion = command<AgentOutput>({ id: 'a', run: ['cat', 'src/a.js'] });
    expect(await criterion.validate(output, undefined, { previous: [] })).toMatchObject({
      passed: true,
    });
  });
});
