// One measurement, one process: what a contender leaves behind (compiled code, heap, hooks) touches no other.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Runs a program of `children/` and gives the JSON that it prints. */
export function runChild(program, options, nodeFlags = []) {
  const file = fileURLToPath(new URL(`../children/${program}.mjs`, import.meta.url));
  const child = spawn(process.execPath, [...nodeFlags, file, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part) => (text += part));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0
        ? resolve(JSON.parse(text))
        : reject(new Error(`${program} ${JSON.stringify(options)} ended with ${code}: ${text}`)),
    );
  });
}

/** Every contender once per round, in turns; gives the answers by contender. */
export async function interleaved(contenders, rounds, measure) {
  const answers = new Map(contenders.map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const name of contenders) answers.get(name).push(await measure(name, round));
  }
  return answers;
}

/** In a child: the options it was given. */
export const given = () => JSON.parse(process.argv[2] ?? '{}');

/** In a child: its answer. */
export const answer = (value) => process.stdout.write(JSON.stringify(value));
