import { bad, type GateTask, good } from './types.js';

/** Tasks about YAML and environment files. */
export const yamlFiles: readonly GateTask[] = [
  {
    id: 'ci-workflow',
    areas: ['checkable', 'polarity', 'trap'],
    task: `Please create .github/workflows/ci.yml

* runs on every push
* tests with Node 20 and Node 22
* uses npm ci, must not use npm install
* no job should take longer than 10 minutes
`,
    requirements: [
      { text: 'Please create .github/workflows/ci.yml' },
      { text: 'runs on every push' },
      { text: 'tests with Node 20 and Node 22' },
      { text: 'uses npm ci, must not use npm install' },
      { text: 'no job should take longer than 10 minutes', strength: 'should' },
    ],
    outputs: [
      // The timeout stops every job after ten minutes.
      good('good', '+++++', {
        '.github/workflows/ci.yml': `name: ci
on: push
jobs:
  test:
    runs-on: ubuntu-latest
    timeout-minutes: 10
    strategy:
      matrix:
        node: [20, 22]
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: \${{ matrix.node }}
      - run: npm ci
      - run: npm test
`,
      }),
      // Comments promise what the file does not do.
      bad('main-only', '+---?', {
        '.github/workflows/ci.yml': `name: ci
# runs on every push, tests with Node 20 and Node 22
on:
  push:
    branches: [main]
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 20
      # npm ci would be faster
      - run: npm install
      - run: npm test
`,
      }),
    ],
  },
  {
    id: 'compose-file',
    areas: ['quantity', 'checkable', 'polarity'],
    task: 'docker compose file for the shop: exactly two services (web and db), no password in the file, the db data has to survive a restart.',
    requirements: [
      {
        text: 'docker compose file for the shop: exactly two services (web and db), no password in the file, the db data has to survive a restart.',
      },
    ],
    outputs: [
      good('good', '+', {
        'compose.yaml': `services:
  web:
    image: registry.example.com/shop:1.4
    ports:
      - "8080:8080"
    depends_on: [db]
  db:
    image: postgres:17
    environment:
      POSTGRES_PASSWORD_FILE: /run/secrets/db
    secrets: [db]
    volumes:
      - data:/var/lib/postgresql/data
volumes:
  data:
secrets:
  db:
    file: ./db-secret.txt
`,
      }),
      bad('password', '-', {
        'compose.yaml': `services:
  web:
    image: registry.example.com/shop:1.4
  db:
    image: postgres:17
    environment:
      POSTGRES_PASSWORD: b1ueWhale77
  adminer:
    image: adminer
`,
      }),
    ],
  },
  {
    id: 'env-example',
    areas: ['checkable', 'trap', 'polarity'],
    task: 'Add a .env.example with all variables the app reads (PORT, DATABASE_URL, PAYMENT_KEY). It must not contain real keys. Each variable needs a comment that explains it.',
    requirements: [
      {
        text: 'Add a .env.example with all variables the app reads (PORT, DATABASE_URL, PAYMENT_KEY).',
      },
      { text: 'It must not contain real keys.' },
      { text: 'Each variable needs a comment that explains it.' },
    ],
    outputs: [
      good('good', '+++', {
        '.env.example': `# Port on which the server listens
PORT=8080
# Address of the database, with user and password
DATABASE_URL=postgres://user:password@localhost:5432/app
# Key of the payment service, from its dashboard under Developers
PAYMENT_KEY=your-key-here
`,
      }),
      // The comment says that there is no real key, and one follows.
      bad('real-key', '+--', {
        '.env.example': `# Port on which the server listens
PORT=8080
DATABASE_URL=postgres://user:password@localhost:5432/app
# No real key here
PAYMENT_KEY=${'sk_'}live_4fJ2mQz81LwXc7TnVb0RkYp3
`,
      }),
      // Two of the variables occur in a comment only.
      bad('not-all', '-+-', {
        '.env.example': `# Port on which the server listens
PORT=8080
# PAYMENT_KEY and DATABASE_URL: ask the team
`,
      }),
    ],
  },
];
