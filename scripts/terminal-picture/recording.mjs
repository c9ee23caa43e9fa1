// Records a real review in a pseudo terminal. The picture of the README and the test of its age use it.
import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The size of the terminal. */
export const columns = 100;
const rows = 40;

/** The command as a person types it. */
export const command = 'reviewloop review site --task TASK.md --criteria ./judges.mjs';

const page = `<!doctype html>
<html lang="en">
<head><title>Tea</title><meta name="viewport" content="width=device-width"></head>
<body>
<h1>Tea</h1>
<p>We deliver within the hour.</p>
<form><label for="mail">E-mail</label><input id="mail" type="email"></form>
</body>
</html>
`;
const task = `# The tea page

- The page must have a form.
- The page must have a heading.
`;

/**
 * Runs the review and returns the bytes that the terminal got, and those up to the moment when the second judge has
 * answered.
 *
 * @param {string} program - The file of the program.
 * @param {number} paceMs - How long the fastest judge takes.
 */
export async function record(program, paceMs) {
  const cwd = mkdtempSync(join(tmpdir(), 'terminal-picture-'));
  try {
    mkdirSync(join(cwd, 'site'));
    writeFileSync(join(cwd, 'site/index.html'), page);
    writeFileSync(join(cwd, 'TASK.md'), task);
    copyFileSync(fileURLToPath(new URL('judges.mjs', import.meta.url)), join(cwd, 'judges.mjs'));
    return await recorded(command.replace(/^reviewloop/, `"${process.execPath}" "${program}"`), {
      cwd,
      env: { PATH: process.env.PATH, TERM: 'xterm-256color', PICTURE_PACE_MS: String(paceMs) },
    });
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}

function recorded(line, { cwd, env }) {
  const sized = `stty rows ${rows} cols ${columns}; ${line}`;
  const child = spawn('script', ['-qec', sized, '/dev/null'], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let whole = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    whole += text;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', () => resolve({ whole, during: duringOf(whole) }));
  });
}

/** Returns the bytes up to the last frame before the last judge has answered. */
function duringOf(whole) {
  const frame = whole.lastIndexOf('3/4 checks');
  return frame === -1 ? whole : whole.slice(0, whole.indexOf('\u001b[J', frame));
}

/** Returns what a recording says, whatever its times, ids and numbers: what a picture must still show. */
export function saidBy(lines) {
  return lines
    .map((line) =>
      line
        .replace(/[\da-f]{8}-[\da-f-]+/g, 'ID')
        .replace(/\d+/g, '0')
        .trimEnd(),
    )
    .join('\n')
    .trim();
}
