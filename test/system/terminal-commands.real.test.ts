import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { playTerminal } from '../../scripts/terminal-picture/terminal-cells.mjs';
import { newFolder } from '../resume/children.js';
import { bundle } from '../support/bundle.js';
import { chatProtocol } from '../support/model-server.js';
import { hasPty, pty } from '../support/pty.js';
import { itInTerminal, type Terminal, terminal } from '../support/tmux.js';
import { bin } from './cli-harness.js';

/** A service on loopback that answers each call once the test lets it. */
async function heldService(text: string) {
  const held: (() => void)[] = [];
  let calls = 0;
  let look = (): void => {};
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      calls += 1;
      held.push(() => {
        const usage = { input: 1200, output: 34 };
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify(chatProtocol.answer({ kind: 'text', text, usage })));
      });
      look();
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const port = (server.address() as AddressInfo).port;
  return {
    flags: `--provider openai:m --base-url http://127.0.0.1:${port}/v1`,
    /** Waits until that many calls were made in all. */
    asked: (most: number) =>
      new Promise<void>((done) => {
        look = () => calls >= most && done();
        look();
      }),
    /** Answers the calls that wait. */
    answer: (most = Number.POSITIVE_INFINITY) => {
      for (const give of held.splice(0, most)) give();
    },
  };
}

/** Runs a command of the built program, as a person at a terminal of 100 columns. */
function command(cwd: string, line: string, columns = 100) {
  const env = { OPENAI_API_KEY: 'none' };
  return pty(`"${process.execPath}" "${bin}" ${line}; echo "END $?"`, { cwd, columns, env });
}

function screenOf(bytes: string): string[] {
  return playTerminal(bytes, 100).lines.filter((line) => line !== '');
}

const job = {
  name: 'report',
  steps: [
    {
      id: 'draft',
      outputs: { report: { type: 'file' }, pages: { type: 'files' } },
      reviews: [
        { run_each: 'step', quality_criteria: { Complete: 'Is everything there?' } },
        { run_each: 'pages', quality_criteria: { Valid: 'Is the page valid?' } },
      ],
    },
  ],
};

const yes = JSON.stringify({
  passed: true,
  feedback: 'fine',
  criteria_results: ['Complete', 'Valid'].map((criterion) => ({ criterion, passed: true })),
});

describe.runIf(hasPty)('long commands on a real terminal', () => {
  it('gate: each reviewer with its state, tokens and time, and the usual time from the second call on', async () => {
    const cwd = newFolder();
    mkdirSync(join(cwd, 'pages'));
    writeFileSync(join(cwd, 'job.json'), JSON.stringify(job));
    for (const name of ['report.md', 'pages/a.html', 'pages/b.html'])
      writeFileSync(join(cwd, name), `<h1>${name}</h1>`);
    const { flags, answer, asked } = await heldService(yes);
    const outputs =
      '--output report=report.md --output pages=pages/a.html --output pages=pages/b.html';
    const call = `gate --job job.json --step draft ${outputs} ${flags}`;

    const first = command(cwd, call);
    await first.until(/[3-9] s {2}draft {2}0\/3 checks/);
    answer(1);
    await first.until(/draft {2}1\/3 checks {2}1\.2k tok/);
    expect(screenOf(first.bytes())).toEqual([
      expect.stringMatching(/^. \d s {2}draft {2}1\/3 checks {2}1\.2k tok$/),
      expect.stringMatching(/^ {2}. \d s {2}step {16}/),
      expect.stringMatching(/^ {2}. \d s {2}pages pages\/a\.html/),
      expect.stringMatching(/^ {2}. \d s {2}pages pages\/b\.html/),
    ]);
    expect(
      screenOf(first.bytes()).filter((line) => /✓ \d s .* 1\.2k tok$/.test(line)),
    ).toHaveLength(1);
    answer();
    const shown = screenOf(await first.end);
    expect(shown[0]).toBe('APPROVED: step draft');
    expect(shown.at(-1)).toBe('END 0');

    const second = command(cwd, `${call} --session again`);
    await asked(6);
    await second.until(/usually \d s/);
    expect(screenOf(second.bytes())[0]).toMatch(/draft {2}0\/3 checks {2}about \d s left$/);
    answer();
    await second.end;
  });

  it('gate: without a terminal a line tells what runs, and an agent reads the answer only', async () => {
    const cwd = newFolder();
    writeFileSync(join(cwd, 'job.json'), JSON.stringify(job));
    writeFileSync(join(cwd, 'report.md'), '# Report');
    const { flags, answer, asked } = await heldService(yes);
    const call = `gate --job job.json --step draft --output report=report.md --output pages=report.md ${flags}`;
    const log = command(cwd, `${call} 2>&1 | cat`);
    await log.until(/10 s draft, 0\/2 checks, running step \(\d+ s\), pages report\.md \(\d+ s\)/);
    answer();
    expect(screenOf(await log.end).slice(1)).toEqual([
      'APPROVED: step draft',
      'why: fine',
      'next: nothing, the job is done',
      'END 0',
    ]);
    const agent = command(cwd, `${call} --session b --reporter agent`);
    await asked(4);
    answer();
    expect(screenOf(await agent.end)).toEqual([
      'APPROVED: step draft',
      'why: fine',
      'next: nothing, the job is done',
      'END 0',
    ]);
  });
});

interface Asked extends Terminal {
  /** What the program took for the answer, once it has ended. */
  readonly answer: () => Promise<unknown>;
}

async function ask(mode: string): Promise<Asked> {
  const program = await bundle({ file: 'test/system/terminal-child.ts' }, 'terminal-child');
  const out = join(newFolder(), 'answer.json');
  const opened = terminal(`'${process.execPath}' '${program}' ${mode} '${out}'; sleep 60`);
  const answer = async (): Promise<unknown> => {
    for (let attempt = 0; attempt < 4000 && !existsSync(out); attempt += 1)
      await new Promise((done) => setTimeout(done, 50));
    return JSON.parse(readFileSync(out, 'utf8')) as unknown;
  };
  return { ...opened, answer };
}

describe('a person at a real terminal', () => {
  itInTerminal('types one of four keys', async () => {
    for (const [key, expected] of [
      ['a', { kind: 'approve', by: 'Ada' }],
      ['r', { kind: 'reject', by: 'Ada' }],
      ['f', { kind: 'revise', by: 'Ada', note: 'the findings' }],
      ['s', { kind: 'skip', by: 'Ada' }],
    ] as const) {
      const { until, type, press, answer } = await ask('key');
      const screen = await until(/Let it out\?[\s\S]*decide later/);
      expect(screen).toMatch(/═{50}\nReview: T-1 — tea\n═{50}\nSUMMARY of it\n/);
      type(key);
      if (key === 'r') {
        await until(/Reason \(optional\)/);
        press('Enter');
      }
      expect(await answer()).toEqual(expected);
    }
  });

  itInTerminal(
    'types words, is asked again, looks at the changes, and gives a reason',
    async () => {
      const { until, type, press, answer } = await ask('line');
      await until(/\[a\]pprove/);
      type('maybe');
      press('Enter');
      await until(/Invalid choice\. Use: a, r, f, s, o, or v/);
      press('C-u');
      type('view');
      press('Enter');
      await until(/CHANGES[\s\S]*\[a\]pprove/);
      type('override');
      press('Enter');
      await until(/Reason for override:/);
      press('Enter');
      await until(/This needs a reason/);
      type('legal has checked it');
      press('Enter');
      expect(await answer()).toEqual({
        kind: 'override',
        by: 'Ada',
        reason: 'legal has checked it',
      });
    },
  );

  itInTerminal(
    'goes through the menu with arrow keys, and a stray Enter decides nothing',
    async () => {
      const { until, press, answer } = await ask('menu');
      await until(/Let it out\?[\s\S]*decide later/);
      press('Enter');
      await until(/CHANGES[\s\S]*decide later/);
      press('Up', 'Up', 'Up', 'Up', 'Up');
      await until(/● approve/);
      press('Enter');
      await until(/Reason \(optional\)/);
      press('Enter');
      expect(await answer()).toEqual({ kind: 'approve', by: 'Ada' });
    },
  );

  itInTerminal(
    'leaves by Ctrl-C, Ctrl-D, or by closing the terminal: no answer, and no approval',
    async () => {
      for (const mode of ['key', 'line', 'menu']) {
        for (const leave of ['C-c', 'C-d', 'close'] as const) {
          const { until, press, close, answer } = await ask(mode);
          await until(/Let it out\?[\s\S]*(decide later|\[q\])/);
          if (leave === 'close') close();
          else press(leave);
          expect(await answer(), `${mode} ${leave}`).toBe('no answer');
        }
      }
    },
  );
});

/** Returns whether a shell is there; without one that is required, the tests fail. */
function isThere(shell: string): boolean {
  const isRequired = (process.env['REVIEWLOOP_REQUIRE'] ?? '').split(',').includes(shell);
  return isRequired || spawnSync(shell, ['--version']).status === 0;
}

/** A folder with `reviewloop` on its own path, two runs and a task. */
function project() {
  const cwd = newFolder();
  for (const run of ['01abc', '02def'])
    mkdirSync(join(cwd, '.reviewloop/runs', run), { recursive: true });
  mkdirSync(join(cwd, 'bin'));
  writeFileSync(join(cwd, 'TASK.md'), '# Task\n');
  writeFileSync(
    join(cwd, 'bin/reviewloop'),
    `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`,
    {
      mode: 0o755,
    },
  );
  return { cwd, path: `${join(cwd, 'bin')}:${process.env['PATH']}` };
}

describe('fish', () => {
  it.skipIf(!isThere('fish'))(
    'completes commands, flags, values, files and runs, and prints nothing else (skipped without fish)',
    () => {
      const { cwd, path } = project();
      const lines = [
        'reviewloop ',
        'reviewloop re',
        'reviewloop review --tr',
        'reviewloop review --format ',
        'reviewloop review --task TA',
        'reviewloop review --task TASK.md --form',
        'reviewloop answer 0',
        'reviewloop checklist dec',
      ];
      const script = lines.map((line) => `echo "<"; complete -C '${line}'`).join('; ');
      const { stdout, stderr } = spawnSync(
        'fish',
        ['-N', '-c', `reviewloop completion fish | source; ${script}`],
        { cwd, env: { ...process.env, PATH: path, HOME: cwd }, encoding: 'utf8' },
      );
      expect(stderr).toBe('');
      const found = stdout
        .split('<\n')
        .slice(1)
        .map((part) => part.split('\n').flatMap((line) => line.split('\t')[0] || []));
      expect(found[0]).toEqual(expect.arrayContaining(['review', 'runs', 'gate', 'inbox']));
      expect(found.slice(1)).toEqual([
        ['report', 'requirements', 'resume', 'review'],
        ['--trust'],
        ['json', 'text'],
        ['TASK.md'],
        ['--format'],
        ['01abc', '02def'],
        ['decompose'],
      ]);
    },
  );
});

describe.runIf(isThere('zsh'))('zsh (skipped without zsh)', () => {
  itInTerminal('completes commands with their help, flags, values, files and runs', async () => {
    const { cwd, path } = project();
    const start = `cd '${cwd}' && PATH='${path}' HOME='${cwd}' PS1='> ' zsh -f -i`;
    const { type, press, until } = terminal(start);
    await until(/^> ?$/m);
    type(
      'autoload -Uz compinit && compinit -u && eval "$(reviewloop completion zsh)" && echo READY',
    );
    press('Enter');
    await until(/^READY$/m);
    const completes = async (line: string, shown: RegExp): Promise<void> => {
      type(line);
      press('Tab');
      press('Tab');
      await until(shown);
      press('C-c');
      press('C-l');
    };
    await completes(
      'reviewloop re',
      /review +-- review files[\s\S]*requirements +-- [\s\S]*report +-- /,
    );
    await completes('reviewloop review --tru', /review --trust/);
    await completes('reviewloop review --format j', /--format json/);
    await completes('reviewloop review --task TA', /--task TASK\.md/);
    await completes('reviewloop answer 02', /answer 02def/);
    await completes('reviewloop checklist dec', /checklist decompose/);
  });
});
