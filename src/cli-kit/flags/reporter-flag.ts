import type { Reader } from '../io.js';
import { flag } from './flag.js';

/** `--reporter`: who reads the output. */
export const reporterFlag = flag({
  name: 'reporter',
  arg: '<name>',
  choices: ['default', 'plain', 'agent', 'json'],
  help:
    'default for people, plain for logs, agent for coding agents, json as --format json ' +
    '(default: agent where an agent runs the command)',
});

/** Returns the reader that `--reporter` names; `undefined` without it. */
export function readerIn(settings: Readonly<Record<string, unknown>>): Reader | undefined {
  const { reporter } = settings;
  if (reporter === 'default' || reporter === 'plain' || reporter === 'agent') return reporter;
  return reporter === 'json' ? 'plain' : undefined;
}
