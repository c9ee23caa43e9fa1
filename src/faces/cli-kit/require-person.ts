import { userInfo } from 'node:os';
import { ReviewLoopError } from '../../core/errors.js';
import { redactKnownSecrets } from '../../core/redact/secrets.js';
import type { WayOn } from '../reports/run-report.js';
import { cliErrors } from './errors.js';
import type { Io, Reader } from './io.js';

/** At a terminal a person may sit beside the agent, and confirms it. */
export async function requirePerson(
  { reader, terminal, signal }: Pick<Io, 'reader' | 'terminal' | 'signal'>,
  act: string,
): Promise<void> {
  if (reader !== 'agent') return;
  if (terminal !== undefined) {
    const { Prompts } = await import('../people/prompts.js');
    const prompts = new Prompts(terminal, signal);
    try {
      const said = await prompts.text(
        `A coding agent runs here. Are you a person, and ${act}? yes:`,
      );
      if (said?.trim().toLowerCase() === 'yes') return;
    } finally {
      prompts.close();
    }
  }
  throw new ReviewLoopError(
    cliErrors.person_required,
    `a coding agent started this command, and only a person may say: ${act}`,
  );
}

/** A text for an agent does not name these commands. */
const acts =
  'reviewloop (?:answer|override|accept|inbox|hook off|checklist accept|init .*--remove|lessons (?:accept|reject)|gate [^\\n]*--override-reason)\\b';

const personal = new RegExp(`^ *(?:next|or): ${acts}[^\\n]*\\n?`, 'gm');

const personalCommand = new RegExp(`^${acts}`);

/** An agent gets no way that only a person has. */
export function waysFor(
  { reader }: Pick<Io, 'reader'>,
  next: readonly WayOn[] = [],
): readonly WayOn[] {
  return reader === 'agent' ? next.filter(({ command }) => !personalCommand.test(command)) : next;
}

/** A way on that only a person has is named as one. */
export function withoutPersonal(text: string): string {
  return text.replace(personal, (line) =>
    line.trimStart().startsWith('next')
      ? 'next: tell the person, who decides in a terminal of their own\n'
      : '',
  );
}

/**
 * No reader gets a key of a known service. A plain reader gets lines without colours, and nothing
 * changes on the screen. An agent also gets no progress, tables or questions, and no command that
 * only a person may run.
 */
export function readBy(io: Io, reader: Reader): Io {
  const isPlain = reader !== 'default';
  const isAgent = reader === 'agent';
  const shown = (text: string): string => {
    const clean = redactKnownSecrets(text);
    return isAgent ? withoutPersonal(clean) : clean;
  };
  return {
    ...io,
    reader,
    out: (text: string) => io.out(shown(text)),
    err: (text: string) => io.err(shown(text)),
    live: isPlain ? undefined : io.live,
    page: isPlain ? undefined : io.page,
    colours: !isPlain && io.colours,
    terminal: isAgent ? undefined : io.terminal,
    // a terminal may change its size
    get outColumns() {
      return isAgent ? undefined : io.outColumns;
    },
    get errColumns() {
      return isAgent ? undefined : io.errColumns;
    },
  };
}

export function userName(): string {
  try {
    return userInfo().username || 'unknown';
  } catch {
    return 'unknown';
  }
}
