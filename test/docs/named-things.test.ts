import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { errorCodes } from '@/errors.js';
import { libraryEntries } from '../../scripts/entries.mjs';
import { docPages } from '../../site/book.mjs';
import { readSource, root, sourceFiles } from '../architecture/repository.js';
import { type CommandHelp, everyCommand } from '../support/help-texts.js';

/** Pages about the present; a decision is about its day. */
const pages = ['README.md', ...docPages().filter((path) => !/decisions\/\d/.test(path))];
const texts = new Map(pages.map((path) => [path, readSource(path)]));
const all = [...texts.values()].join('\n');
const withoutBlocks = (text: string) => text.replaceAll(/^ *```[\s\S]*?^ *``` *$/gm, '');

const code = ['src', 'scripts', 'examples', 'bench', 'site', 'action']
  .flatMap((folder) =>
    readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:[cm]?[jt]sx?|json)$/.test(name))
      .filter((name) => !/^(?:node_modules|pages|dist)\b/.test(name))
      .map((name) => readSource(`${folder}/${name}`)),
  )
  .concat(readSource('action.yml'), readSource('package.json'))
  .join('\n');
const words = new Set(code.match(/[A-Za-z_$][\w$]*/g));
const camel = (name: string) =>
  name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Names of other makers, which no code of ours has. */
const foreign = new Set([
  ...['WorkflowAgent', 'GuardrailExecutionError'],
  ...['TokenCostControl', 'AsyncLocalStorage', 'pg_restore'],
  ...['search_path', 'OtelBridge', 'createJsonMatchEvaluator', 'requireApproval'],
  'pull_request_target',
]);

/** Words that the code puts together: the moments of a stage in its log. */
const composed = /^stage_(?:enter|execute|exit)$/;

describe('what pages name', () => {
  it('exists: identifiers', () => {
    const missing = [...texts].flatMap(([path, text]) =>
      [...withoutBlocks(text).matchAll(/`([\w$]+)`/g)]
        .map(([, name = '']) => name)
        .filter((name) => /[a-z]_[a-z]|[a-z][A-Z]/.test(name) && !foreign.has(name))
        .filter((name) => !words.has(name) && !words.has(camel(name)) && !composed.test(name))
        .map((name) => `${path}: ${name}`),
    );
    expect(missing).toEqual([]);
  });

  it('exists: names of other makers are in use', () => {
    expect([...foreign].filter((name) => !all.includes(name))).toEqual([]);
    expect([...foreign].filter((name) => words.has(name))).toEqual([]);
  });

  it('exists: entry points', () => {
    const missing = [...texts].flatMap(([path, text]) =>
      [
        ...text.matchAll(
          /(?<![\w/.-])reviewloop\/([a-z][a-z-]*(?:\/[a-z-]+)?)\b(?![\w@.-]*[/:.]\w)/g,
        ),
      ]
        .map(([, entry = '']) => entry)
        .filter((entry) => !(entry in libraryEntries))
        .map((entry) => `${path}: reviewloop/${entry}`),
    );
    expect(missing).toEqual([]);
  });

  it('exists: scripts of the package', () => {
    const { scripts } = JSON.parse(readSource('package.json')) as { scripts: object };
    const files = [...texts.keys(), 'AGENTS.md', 'CONTRIBUTING.md'];
    const missing = files.flatMap((path) =>
      [...readSource(path).matchAll(/`npm run ([\w:-]+)/g)]
        .map(([, name = '']) => name)
        .filter((name) => !(name in scripts) && !/^(?:lint|build)$/.test(name))
        .map((name) => `${path}: npm run ${name}`),
    );
    expect(missing).toEqual([]);
  });

  describe('of the command line', () => {
    let commands: readonly CommandHelp[] = [];
    beforeAll(async () => {
      commands = await everyCommand();
    });

    /** The calls of the program in a text: after a prompt, in code, after npx. */
    const callsIn = (text: string) =>
      [
        ...text
          .replaceAll(/\\\n\s*/g, ' ')
          .matchAll(/(?:^ *(?:\$ )?|`|npx |&& )reviewloop ((?:[a-z][\w-]*|--)[^\n`|#]*)/gm),
      ].map(([, call = '']) => call.trim().split(/\s+/));

    it('exists: commands and their options', () => {
      const missing = [...texts].flatMap(([path, text]) =>
        callsIn(text).flatMap((call) => {
          const [first = '', second = ''] = call;
          const known = commands.filter(({ argv }) => argv[0] === first);
          if (first.startsWith('-')) return [];
          if (known.length === 0) return [`${path}: reviewloop ${first}`];
          const own = known.find(({ argv }) => argv[1] === second) ?? known[0];
          // a group takes the options of its commands, where a page names the group alone
          const options = new Set(
            own?.argv.length === 2 ? own.options : known.flatMap((each) => each.options),
          );
          return call
            .map((word) => /^\[?(--[a-z][\w-]*)/.exec(word)?.[1] ?? '')
            .filter((flag) => flag !== '' && flag !== '--help' && flag !== '--version')
            .filter((flag) => !options.has(flag))
            .map((flag) => `${path}: reviewloop ${own?.argv.join(' ')} ${flag}`);
        }),
      );
      expect(missing).toEqual([]);
    });

    it('is found out if it does not exist', () => {
      expect(callsIn('`reviewloop nosuch --x`')).toEqual([['nosuch', '--x']]);
      expect(commands.some(({ argv }) => argv[0] === 'nosuch')).toBe(false);
    });
  });
});

describe('what exists', () => {
  it('has its page: error codes, each once', () => {
    const missing = Object.keys(errorCodes).filter((name) => !all.includes(`\`${name}\``));
    expect(missing).toEqual([]);
  });

  it('has its page: events, and no other ones', () => {
    const source = readSource('src/core/event.ts');
    const from = source.indexOf('export interface ReviewEvents');
    const names = [
      ...source.slice(from, source.indexOf('\n}', from)).matchAll(/^ {2}'([\w-]+)':/gm),
    ].map(([, name = '']) => name);
    const page = texts.get('docs/events.md') ?? '';
    const [table = ''] = /^\| event \|[\s\S]*?\n\n/m.exec(page) ?? [];
    const rows = [...table.matchAll(/^\| ((?:`[\w-]+`(?:, )?)+) \|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`([\w-]+)`/g)].map(([, name = '']) => name),
    );
    expect(names.length).toBeGreaterThan(10);
    expect(rows.sort()).toEqual(names.sort());
  });

  it('has its page: entry points', () => {
    const page = texts.get('docs/entry-points.md') ?? '';
    const rows = page.slice(0, page.indexOf('## Small helpers')).split('\n');
    const named = rows.flatMap((row) => {
      const [, cell = ''] = row.split('|');
      let folder = '';
      return [...cell.matchAll(/`([^`]+)`/g)].flatMap(([, name = '']) => {
        if (name.startsWith('/')) return [`${folder}${name}`];
        folder = name.replace(/\/[^/]+$/, '');
        return name.endsWith('/*')
          ? Object.keys(libraryEntries)
              .map((entry) => `reviewloop/${entry}`)
              .filter((entry) => entry.startsWith(name.slice(0, -1)))
          : [name];
      });
    });
    const entries = Object.keys(libraryEntries).map((entry) =>
      entry === 'index' ? 'reviewloop' : `reviewloop/${entry}`,
    );
    expect(named.sort()).toEqual(entries.sort());
  });

  it('has its page: public functions and values', () => {
    const known = new Set(all.match(/[A-Za-z_$][\w$]*/g));
    const unnamed = readSource('test/architecture/public-api.txt')
      .split('\n')
      .filter((name) => /^[a-z]\w*$/.test(name) && !known.has(name));
    expect(unnamed).toEqual([]);
  });

  it('has its page: options of public functions', () => {
    const known = new Set(all.match(/[A-Za-z_$][\w$]*/g));
    const api = new Set(readSource('test/architecture/public-api.txt').split('\n'));
    const sources = sourceFiles('src').map(readSource);
    // types of options have no public name: they are those that a public function or class takes
    const taken = new Set(
      sources
        .flatMap((source) => [
          ...source.matchAll(/export (?:async )?(?:function|class) (\w+)([\s\S]*?\n(?: {2})?\})/g),
        ])
        .filter(([, name = '']) => api.has(name))
        .flatMap(([, , text = '']) => text.match(/\b\w*Options\b/g) ?? []),
    );
    const options = sources.flatMap((source) => {
      return [...source.matchAll(/export interface (\w*Options)\b[^{]*\{/g)]
        .filter(([, name = '']) => api.has(name) || taken.has(name))
        .flatMap(({ index, 1: name = '' }) =>
          [
            ...source
              .slice(index, source.indexOf('\n}', index))
              .matchAll(/^ {2}(?:readonly )?(\w+)\??:/gm),
          ].map(([, option = '']) => ({ name, option })),
        );
    });
    expect(options.length).toBeGreaterThan(500);
    const unnamed = options.filter(({ option }) => !known.has(option));
    expect(unnamed.map(({ name, option }) => `${name}.${option}`)).toEqual([]);
  });
});

describe('docs/errors.md', () => {
  const doc = readFileSync(`${root}docs/errors.md`, 'utf8');

  it('is what scripts/errors-doc.mjs makes', () => {
    expect(
      execFileSync(process.execPath, ['scripts/errors-doc.mjs'], { cwd: root, encoding: 'utf8' }),
    ).toBe(doc);
  });

  it('holds every code once, with its fix', () => {
    const listed = [...doc.matchAll(/^- `(\w+)` \(\w+\): \S/gm)].map(([, code]) => code ?? '');
    expect(listed.sort((a, b) => a.localeCompare(b))).toEqual(
      Object.keys(errorCodes).sort((a, b) => a.localeCompare(b)),
    );
  });
});

const page = readFileSync(`${root}docs/cli.md`, 'utf8');

it('the page of the command line has the options that scripts/cli-doc.mjs makes', () => {
  expect(
    execFileSync(process.execPath, ['scripts/cli-doc.mjs'], { cwd: root, encoding: 'utf8' }),
  ).toBe(page);
});

it('the page of the command line names every command and every option, and each help ends alike', async () => {
  const commands = await everyCommand();
  expect(commands.length).toBeGreaterThan(20);
  const missing: string[] = [];
  for (const { argv, help, options } of commands) {
    expect(help, argv.join(' ')).toMatch(/\nAll exit codes: reviewloop --help\n$/);
    const names = argv.length === 1 ? [`reviewloop ${argv[0]}`] : argv.slice(1);
    missing.push(
      ...[...names, ...options]
        .filter((word) => !page.includes(word))
        .map((word) => `${argv.join(' ')}: ${word}`),
    );
  }
  expect(missing).toEqual([]);
});
