import { join } from 'node:path';
import { isMap, isScalar, isSeq, parseDocument } from 'yaml';
import { ReviewLoopError } from '../../../core/errors.js';
import { readLinked } from '../../../node/store-file.js';
import { configErrors } from '../../config/errors.js';
import type { PlannedFile } from './plan-agent.js';

export const ciNames = ['github', 'gitlab', 'pre-commit'] as const;

type CiName = (typeof ciNames)[number];

interface CiPlan {
  readonly cwd: string;
  readonly remove: boolean;
  readonly version: string;
}

const files: Readonly<Record<CiName, string>> = {
  github: '.github/workflows/reviewloop.yml',
  gitlab: '.gitlab-ci.yml',
  'pre-commit': '.pre-commit-config.yaml',
};

export async function planCi(name: CiName, plan: CiPlan): Promise<PlannedFile[]> {
  const shown = files[name];
  const path = join(plan.cwd, shown);
  const before = await readLinked(path);
  const after = plan.remove ? removed(name, before, plan) : added(name, before, plan);
  return before === after ? [] : [{ path, before, after }];
}

function added(name: CiName, before: string | undefined, { version }: CiPlan): string {
  const yaml = { text: before ?? '', shown: files[name] };
  switch (name) {
    case 'github':
      return before ?? githubWorkflow(version);
    case 'gitlab':
      return addTopKey(yaml, 'reviewloop', gitlabJob(version));
    case 'pre-commit': {
      const lines = preCommitRepo(version);
      return addItem(yaml, 'repos', { lines, mark: 'id: reviewloop' });
    }
  }
}

/** `undefined` if nothing but the review is in the file. */
function removed(
  name: CiName,
  before: string | undefined,
  { version: current }: CiPlan,
): string | undefined {
  if (before === undefined) return undefined;
  // another release may have written it
  const version = /reviewloop@v?([\w.-]+)/.exec(before)?.[1] ?? current;
  const yaml = { text: before, shown: files[name] };
  const has = name === 'pre-commit' ? 'id: reviewloop' : '# Written by `reviewloop init';
  if (name !== 'github' && !before.includes(has)) return before;
  switch (name) {
    case 'github':
      if (before === githubWorkflow(version)) return undefined;
      throw new ReviewLoopError(
        configErrors.config_invalid,
        `${files.github} was changed; remove it by hand`,
        { value: files.github },
      );
    case 'gitlab':
      return removeLines(yaml, gitlabJob(version)) || undefined;
    case 'pre-commit': {
      const after = removeItem(yaml, preCommitRepo(version));
      return after.trim() === 'repos:' ? undefined : after;
    }
  }
}

const repository = 'reviewloop/reviewloop';

const githubWorkflow = (version: string): string => `# Written by \`reviewloop init github\`.
name: reviewloop

on:
  pull_request:
  merge_group:

permissions: {}

jobs:
  review:
    runs-on: ubuntu-latest
    timeout-minutes: 15
    permissions:
      contents: read
      security-events: write
      pull-requests: write
      checks: write
    steps:
      - uses: actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0
        with:
          fetch-depth: 0
          persist-credentials: false
      # Pin the action by the commit of this release.
      - uses: ${repository}@v${version}
        with:
          # The task of the pull request, if a file contains it.
          # task: TASK.md
          # A model needs its key in \`env\`. Without one, checks decide what they can; the job passes
          # if all of them do, and nothing is approved. \`require: approved\` fails then.
          # provider: openai:MODEL
          comment: true
`;

const gitlabJob = (version: string): string => `# Written by \`reviewloop init gitlab\`.
reviewloop:
  image: node:22
  timeout: 15 minutes
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
  variables:
    GIT_DEPTH: '0'
  script:
    # with --provider, and the key of the model in a variable, leave --require out
    - printf '%s\\n\\n%s\\n' "$CI_MERGE_REQUEST_TITLE" "$CI_MERGE_REQUEST_DESCRIPTION" > /tmp/task.md
    - >-
      npx --yes reviewloop@${version} review
      --diff "$CI_MERGE_REQUEST_DIFF_BASE_SHA...HEAD"
      --task /tmp/task.md
      --require checks
      --report gitlab=gl-code-quality.json
      --report junit=reviewloop.xml
      --report html=reviewloop.html
  artifacts:
    when: always
    paths: [reviewloop.html]
    reports:
      codequality: gl-code-quality.json
      junit: reviewloop.xml
`;

/** It is installed once, and needs no network later. */
const preCommitRepo = (version: string): readonly string[] => [
  '- repo: local',
  '  hooks:',
  '    - id: reviewloop',
  '      name: reviewloop',
  '      language: node',
  `      additional_dependencies: ['reviewloop@${version}']`,
  '      entry: reviewloop review --quiet --no-requirements',
  "      args: [--task-text, 'The files have no faults.']",
  '      types: [text]',
  '      require_serial: true',
];

interface YamlText {
  readonly text: string;
  readonly shown: string;
}

function refused(shown: string, why: string): ReviewLoopError {
  return new ReviewLoopError(
    configErrors.config_invalid,
    `${shown} was left unchanged, because it cannot be extended: ${why}`,
    { value: shown },
  );
}

function topOf({ text, shown }: YamlText) {
  // tags such as !reference belong to other programs
  const document = parseDocument(text, { customTags: [], logLevel: 'error' });
  const [error] = document.errors;
  if (error !== undefined) throw refused(shown, error.message.split('\n')[0] ?? 'it is not YAML');
  const { contents } = document;
  if (contents === null) return undefined;
  if (!isMap(contents) || contents.flow === true)
    throw refused(shown, 'its top is not a mapping of lines');
  return contents;
}

/** Adds at the end, unless the text has the key at its top. */
function addTopKey(yaml: YamlText, key: string, lines: string): string {
  const { text } = yaml;
  const top = topOf(yaml);
  if (top?.items.some((item) => isScalar(item.key) && item.key.value === key) === true) return text;
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const gap = text === '' || endsBlank(text) ? '' : text.endsWith('\n') ? eol : eol + eol;
  return `${text}${gap}${lines.replaceAll('\n', eol)}`;
}

/** Removes the lines of {@link addTopKey}. */
function removeLines({ text, shown }: YamlText, lines: string): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const own = lines.replaceAll('\n', eol);
  const at = text.indexOf(own);
  if (at === -1) throw refused(shown, 'the lines of reviewloop were changed; remove them by hand');
  const head = text.slice(0, at);
  const rest = text.slice(at + own.length);
  return (rest === '' ? head.replace(/(\r?\n)\r?\n$/, '$1') : head) + rest;
}

/** Adds at the end of the list under a key, unless an item contains `mark`. */
function addItem(
  yaml: YamlText,
  key: string,
  { lines, mark }: { readonly lines: readonly string[]; readonly mark: string },
): string {
  const { text, shown } = yaml;
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const top = topOf(yaml);
  const pair = top?.items.find((item) => isScalar(item.key) && item.key.value === key);
  if (pair === undefined)
    return addTopKey(yaml, key, `${key}:\n${lines.map((line) => `  ${line}\n`).join('')}`);
  const list = pair.value;
  if (!isSeq(list) || list.flow === true) throw refused(shown, `\`${key}\` is not a list of lines`);
  const start = list.range?.[0] ?? 0;
  const end = list.range?.[1] ?? text.length;
  if (text.slice(start, end).includes(mark)) return text;
  const indent = /[^\n]*$/.exec(text.slice(0, start))?.[0] ?? '';
  const at = start + text.slice(start, end).trimEnd().length;
  const item = lines.map((line) => `${eol}${indent}${line}`).join('');
  const isLast = text.slice(at).trim() === '' && !/\n/.test(text.slice(at));
  return `${text.slice(0, at)}${item}${isLast ? eol : ''}${text.slice(at)}`;
}

/** Removes the item of {@link addItem}. */
function removeItem({ text, shown }: YamlText, lines: readonly string[]): string {
  const pattern = lines.map((line) => `[ \\t]*${line.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')}`);
  const found = new RegExp(`(?:^|\\r?\\n)${pattern.join('\\r?\\n')}(?=\\r?\\n|$)`).exec(text);
  if (found === null)
    throw refused(shown, 'the entry of reviewloop was changed; remove it by hand');
  return text.slice(0, found.index) + text.slice(found.index + found[0].length);
}

function endsBlank(text: string): boolean {
  return text.endsWith('\n') && text.slice(text.trimEnd().length).split('\n').length > 2;
}
