/** The repository of this package, whose action the files of CI name. */
const repository = 'reviewloop/reviewloop';

/** The workflow that `init github` writes. */
export const githubWorkflow = (version: string): string => `# Written by \`reviewloop init github\`.
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

/** The job that `init gitlab` adds. */
export const gitlabJob = (version: string): string => `# Written by \`reviewloop init gitlab\`.
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

/** The entry that `init pre-commit` adds to `repos`. It is installed once, and needs no network later. */
export const preCommitRepo = (version: string): readonly string[] => [
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
