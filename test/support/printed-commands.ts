import { execFileSync } from 'node:child_process';

/** A command that was printed as a way on. */
export interface PrintedCommand {
  /** The whole line, without its label. */
  readonly line: string;
  /** Whether it is one of git, for a shell. */
  readonly git: boolean;
  /** Its arguments as a shell reads them, with the places for a person filled in. */
  readonly argv: readonly string[];
  /** What the comment promises; empty without one. */
  readonly promise: string;
}

/** What stands for what a person writes, and what a test writes instead. */
export interface FilledPlaces {
  readonly model: readonly string[];
  readonly paths: string;
  readonly task: string;
}

/** Returns every command that a text names after `next:` or `or:`, or for what it leaves out. */
export function printedCommands(text: string, places: FilledPlaces): PrintedCommand[] {
  return [
    ...text.matchAll(
      /^ *(?:next|or|all|fixes|its changes are set aside|\d+ more(?:, and fixes)?): (?:.*\bthen )?((?:reviewloop|git) .*)$/gm,
    ),
  ].map(([, line = '']) => ({
    line,
    git: line.startsWith('git '),
    argv: wordsOf(line.replace(/ && .*/, '')).flatMap((word) => filled(word, places)),
    promise: / # (.*)$/.exec(line)?.[1] ?? '',
  }));
}

/** Reads a line as a shell does, and leaves out the name of the program. */
function wordsOf(line: string): string[] {
  const text = execFileSync('sh', ['-c', `printf '%s\\0' ${line}`], { encoding: 'utf8' });
  return text.split('\0').slice(1, -1);
}

function filled(word: string, { model, paths, task }: FilledPlaces): readonly string[] {
  if (word === '...') return ['a person saw it'];
  if (word === 'ollama:MODEL') return model;
  if (word === 'PATHS') return [paths];
  if (word === 'TASK.md') return [task];
  if (word === 'TEXT') return ['Write about tea.'];
  return [word.replace('=FILE', `=${paths}`).replace('=TEXT', '=done')];
}
