// How long people and coding agents wait for a command without a model, in starts of Node itself.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from '../lib/stats.mjs';

const bin = fileURLToPath(new URL('../../dist/bin.js', import.meta.url));
const rounds = 15;

const page = (number) =>
  `<!doctype html>\n<html lang="en">\n<head><title>Sign in</title><meta name="viewport" content="width=device-width, initial-scale=1"></head>\n<body><h1>Sign in ${number}</h1></body>\n</html>\n`;

export async function commands(report) {
  const cwd = mkdtempSync(join(tmpdir(), 'bench-commands-'));
  try {
    begin(cwd);
    send(cwd, 'SessionStart');
    const times = { node: [], version: [], review: [], stop: [] };
    for (let round = 0; round < rounds; round += 1) {
      writeFileSync(join(cwd, 'index.html'), page(round));
      times.node.push(timed(() => run(cwd, ['-e', '0'])));
      times.version.push(timed(() => run(cwd, [bin, '--version'])));
      const argv = [bin, 'review', 'index.html', '--no-requirements', '--criteria', 'html'];
      times.review.push(timed(() => run(cwd, [...argv, '--task', 'TASK.md'])));
      times.stop.push(timed(() => send(cwd, 'Stop')));
    }
    const node = median(times.node);
    for (const [name, all] of Object.entries(times))
      report.line('commands', name, { ms: median(all), inStartsOfNode: median(all) / node });
    report.atMost('--version, ms above node', median(times.version) - node, 60);
    report.atMost('a review of one page, ms', median(times.review), 600);
    report.atMost('a stop of a coding agent that is reviewed, ms', median(times.stop), 500);
    report.page('In starts of Node: --version / a review of a page / a stop of a coding agent', [
      median(times.version) / node,
      median(times.review) / node,
      median(times.stop) / node,
    ]);
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}

/** Makes a repository with 200 modules and a task. */
function begin(cwd) {
  const git = (...args) => execFileSync('git', args, { cwd, stdio: 'ignore' });
  git('init', '-q');
  writeFileSync(join(cwd, 'TASK.md'), '- The page must have a title "Sign in".\n');
  for (let index = 0; index < 200; index += 1)
    writeFileSync(join(cwd, `m${index}.mjs`), `export const value = ${index};\n`);
  git('add', '-A');
  git('-c', 'user.name=a', '-c', 'user.email=a@example.org', 'commit', '-qm', 'first');
}

function timed(work) {
  const startedAt = performance.now();
  work();
  return performance.now() - startedAt;
}

function run(cwd, argv, input) {
  const { status, stdout } = spawnSync(process.execPath, argv, { cwd, input, encoding: 'utf8' });
  if (![0, 50].includes(status)) throw new Error(`${argv.join(' ')} ended with ${status}`);
  return stdout;
}

function send(cwd, name) {
  const event = { session_id: 's', cwd, hook_event_name: name, prompt_id: 'p' };
  const given = JSON.stringify({ ...event, stop_hook_active: false });
  const out = run(cwd, [bin, 'hook'], given);
  if (JSON.parse(out).decision !== undefined) throw new Error(`the hook said ${out}`);
}
