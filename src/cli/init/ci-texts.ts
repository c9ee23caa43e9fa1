/** The repository of this package, whose action and pre-commit hook the files of CI name. */
const repository = 'reviewloop/reviewloop';

/** The workflow that `init github` writes. */
export const githubWorkflow = (version: string): string => `# Written by \`reviewloop init github\`.
name: reviewloop

on:
  pull_request:

permissions:
  contents: read
  security-events: write
  pull-requests: write

jobs:
  review:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
        with:
          fetch-depth: 0
      - uses: ${repository}@v${version}
        with:
          # The task of the pull request, if a file contains it.
          # task: TASK.md
          # A model needs its key in \`env\`. Without one, code judges what it can.
          # provider: openai:MODEL
          fail-on: major
          comment: true
`;

/** The job that `init gitlab` adds. */
export const gitlabJob = `# Written by \`reviewloop init gitlab\`.
reviewloop:
  image: node:22
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
  variables:
    GIT_DEPTH: 0
  script:
    - npm ci
    - >-
      npx reviewloop review --diff "$CI_MERGE_REQUEST_DIFF_BASE_SHA..$CI_COMMIT_SHA"
      --task-text "$CI_MERGE_REQUEST_TITLE"
      --report gitlab=gl-code-quality.json --report junit=reviewloop.xml
  artifacts:
    when: always
    reports:
      codequality: gl-code-quality.json
      junit: reviewloop.xml
`;

/** The entry that `init pre-commit` adds to \`repos\`. */
export const preCommitRepo = (version: string): readonly string[] => [
  `- repo: https://github.com/${repository}`,
  `  rev: v${version}`,
  '  hooks:',
  '    - id: reviewloop',
];
