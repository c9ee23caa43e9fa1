import { bad, type GateTask, good } from './types.js';

/** Tasks about JSON files. */
export const configs: readonly GateTask[] = [
  {
    id: 'server-json',
    areas: ['checkable', 'polarity', 'scope', 'trap'],
    task: `config/server.json for the dev server:

- valid JSON
- port 8080
- no secrets in the file
- the log level is "debug"
`,
    requirements: [
      { text: 'valid JSON' },
      { text: 'port 8080' },
      { text: 'no secrets in the file' },
      { text: 'the log level is "debug"' },
    ],
    outputs: [
      good('good', '++++', {
        'config/server.json': `{
  "host": "127.0.0.1",
  "port": 8080,
  "database": { "user": "app", "passwordFrom": "env:DB_PASSWORD" },
  "log": { "level": "debug" }
}
`,
      }),
      // A comment and a comma at the end are not JSON.
      bad('comma-and-password', '-+--', {
        'config/server.json': `{
  // no secrets in the file
  "host": "127.0.0.1",
  "port": 8080,
  "database": { "user": "app", "password": "vR7!kq2Zt-prod" },
  "log": { "level": "info", "note": "use debug while developing" },
}
`,
      }),
      // The wanted number occurs in a path.
      bad('other-port', '+-++', {
        'config/server.json': `{
  "host": "127.0.0.1",
  "port": 18080,
  "metricsPath": "/port/8080",
  "log": { "level": "debug" }
}
`,
      }),
    ],
  },
  {
    id: 'translations',
    areas: ['checkable', 'scope', 'meaning'],
    task: 'Add the translations: locales/en.json and locales/de.json must exist. Both must be valid JSON. Every key of en.json must also be in de.json. The German texts must be correct and polite.',
    requirements: [
      { text: 'locales/en.json and locales/de.json must exist.' },
      { text: 'Both must be valid JSON.' },
      { text: 'Every key of en.json must also be in de.json.' },
      { text: 'The German texts must be correct and polite.' },
    ],
    outputs: [
      // A reader who knows German accepts all three texts.
      good('both', '++++', {
        'locales/en.json':
          '{\n  "save": "Save",\n  "cancel": "Cancel",\n  "sure": "Are you sure?"\n}\n',
        'locales/de.json':
          '{\n  "save": "Speichern",\n  "cancel": "Abbrechen",\n  "sure": "Sind Sie sicher?"\n}\n',
      }),
      bad('key-missing', '++--', {
        'locales/en.json':
          '{\n  "save": "Save",\n  "cancel": "Cancel",\n  "sure": "Are you sure?"\n}\n',
        'locales/de.json': '{\n  "save": "Rette",\n  "sure": "Bist du sicher, Alter?"\n}\n',
      }),
      // The German file is only promised.
      bad('one-file', '----', {
        'locales/en.json': '{\n  "save": "Save",\n  "cancel": "Cancel"\n}\n',
        'README.md':
          '# Locales\n\nlocales/de.json must exist. It will follow with the next change.\n',
      }),
    ],
  },
  {
    id: 'package-json',
    areas: ['checkable', 'polarity', 'meaning'],
    task: 'Make a package.json for our library "tiny-dates". Licence is MIT. It has to have a "test" script. No runtime dependencies. `npm test` must pass.',
    requirements: [
      { text: 'Make a package.json for our library "tiny-dates".' },
      { text: 'Licence is MIT.' },
      { text: 'It has to have a "test" script.' },
      { text: 'No runtime dependencies.' },
      { text: '`npm test` must pass.' },
    ],
    outputs: [
      // Nobody ran the tests, and none were handed in.
      bad('unrun', '++++?', {
        'package.json': `{
  "name": "tiny-dates",
  "version": "0.1.0",
  "type": "module",
  "license": "MIT",
  "exports": "./index.js",
  "scripts": { "test": "node --test" },
  "devDependencies": { "typescript": "^5.9.0" }
}
`,
      }),
      // The description claims what the fields deny. Without a test script npm test fails.
      bad('with-dependency', '+----', {
        'package.json': `{
  "name": "tiny-dates",
  "version": "0.1.0",
  "description": "MIT licensed date helpers without runtime dependencies",
  "license": "ISC",
  "scripts": { "build": "tsc", "pretest": "echo test" },
  "dependencies": { "moment": "^2.30.0" }
}
`,
      }),
    ],
  },
];
