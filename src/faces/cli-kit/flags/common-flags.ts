import type { Reader } from '../io.js';
import { flag } from './flag.js';
import { byteCount, wholeNumber } from './values.js';

const reporterFlag = flag({
  name: 'reporter',
  arg: '<name>',
  choices: ['default', 'plain', 'agent', 'json'],
  help:
    'default for people, plain for logs, agent for coding agents, json as --format json ' +
    '(default: agent where an agent runs the command)',
});

export const outputFlags = [
  flag({
    name: 'format',
    arg: '<format>',
    choices: ['text', 'json'],
    default: 'text',
    help: 'text for people, json for programs',
  }),
  flag({ name: 'json', sets: { format: 'json' }, help: 'short for --format json' }),
  reporterFlag,
] as const;

export const storeFlag = flag({
  name: 'store',
  arg: '<store>',
  default: 'file:.reviewloop',
  help: 'where runs are stored: file:DIR, sqlite:FILE, postgres://HOST/NAME, or env:NAME',
});

export const excludeFlag = flag({
  name: 'exclude',
  arg: '<glob>',
  many: true,
  help: 'exclude files or folders; may be repeated',
});

export function maxFileSizeFlag<const Bytes extends number>(bytes: Bytes, what = 'larger files') {
  return flag({
    name: 'maxFileSize',
    arg: '<bytes>',
    parse: byteCount,
    default: bytes,
    help: `refuse ${what}, in bytes; the number may end in k or m`,
  });
}

export const quietFlag = flag({ name: 'quiet', short: 'q', help: 'hide progress' });

export const configFlag = flag({
  name: 'config',
  short: 'c',
  arg: '<file>',
  help:
    'the configuration (default: reviewloop.config.{js,mjs,ts,json,yaml,yml} here ' +
    'or in a folder above)',
  off: 'use no configuration',
});

export const byFlag = flag({
  name: 'by',
  arg: '<name>',
  help: 'name recorded with the decision (default: the name of the user)',
});

const modelFlags = [
  flag({ name: 'model', arg: '<name>', help: 'the model, if --provider names none' }),
  flag({ name: 'baseUrl', arg: '<url>', help: 'another service with the same protocol' }),
  flag({
    name: 'contextTokens',
    arg: '<n>',
    parse: wholeNumber,
    help: 'for ollama: the largest number of tokens of prompt and answer together',
  }),
  flag({
    name: 'structured',
    arg: '<how>',
    choices: ['strict', 'json', 'prompt'],
    help: 'who enforces the schema of an answer: the service, its JSON mode, or only the prompt',
  }),
  flag({
    name: 'providerEnv',
    arg: '<name>',
    many: true,
    help: 'an environment variable for cli:claude or cli:codex; may be repeated',
  }),
] as const;

export function providerFlags(what: string, more = '') {
  return [
    flag({
      name: 'provider',
      arg: '<name>',
      help:
        `${what}: openai:MODEL, anthropic:MODEL, ollama:MODEL, cli:claude or cli:codex; ` +
        `auto picks one by the keys that are set${more}`,
    }),
    ...modelFlags,
  ] as const;
}

export function readerIn(settings: Readonly<Record<string, unknown>>): Reader | undefined {
  const { reporter } = settings;
  if (reporter === 'default' || reporter === 'plain' || reporter === 'agent') return reporter;
  return reporter === 'json' ? 'plain' : undefined;
}
