// How long a coding agent waits for its hook, without a model: the start of a session, and a stop that reviews a page.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const bin = fileURLToPath(new URL('../../dist/bin.js', import.meta.url));
const stops = 15;

const page = (number) =>
  `<!doctype html>\n<html lang="en">\n<head><title>Sign in</title><meta name="viewport" content="width=device-width, initial-scale=1"></head>\n<body><h1>Sign in ${number}</h1></body>\n</html>\n`;

export async function hook(report) {
  const cwd = mkdtempSync(join(tmpdir(), 'bench-hook-'));
  const git = (...args) => execFileSync('git', args, { cwd, stdio: 'ignore' });
  const send = (name) => {
    const event = {
      session_id: 's',
      cwd,
      hook_event_name: name,
      prompt_id: 'p',
      stop_hook_active: false,
    };
    const startedAt = performance.now();
    const out = execFileSync(process.execPath, [bin, 'hook'], {
      cwd,
      input: JSON.stringify(event),
    });
    if (out.toString() !== '{}\n') throw new Error(`the hook said ${out}`);
    return performance.now() - startedAt;
  };
  try {
    git('init', '-q');
    writeFileSync(join(cwd, 'TASK.md'), '- The page must have a title "Sign in".\n');
    for (let index = 0; index < 200; index += 1)
      writeFileSync(join(cwd, `m${index}.mjs`), `export const value = ${index};\n`);
    git('add', '-A');
    const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.org'];
    git(...identity, 'commit', '-qm', 'first');
    const startMs = send('SessionStart');
    const times = [];
    for (let index = 0; index < stops; index += 1) {
      writeFileSync(join(cwd, 'index.html'), page(index));
      times.push(send('Stop'));
    }
    times.sort((a, b) => a - b);
    const p50Ms = times[Math.floor(stops / 2)];
    report.line('hook', 'reviewloop', { stops, startMs, p50Ms, slowestMs: times.at(-1) });
    report.atMost('median of a stop that is reviewed, ms', p50Ms, 3000);
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}
