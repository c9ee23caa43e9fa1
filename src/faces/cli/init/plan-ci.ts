import { join } from 'node:path';
import { ReviewLoopError } from '../../../core/errors.js';
import { readLinked } from '../../../node/store-file.js';
import { configErrors } from '../../config/errors.js';
import { addItem, addTopKey, removeItem, removeLines } from './edit-yaml.js';
import type { PlannedFile } from './plan-agent.js';

export const ciNames = ['github', 'gitlab', 'pre-commit'] as const;

export type CiName = (typeof ciNames)[number];

export interface CiPlan {
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
