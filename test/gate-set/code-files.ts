import { bad, type GateTask, good } from './types.js';

/** Tasks about small JavaScript and TypeScript files. */
export const codeFiles: readonly GateTask[] = [
  {
    id: 'slugify',
    areas: ['checkable', 'meaning', 'polarity', 'trap'],
    task: `Write src/slugify.js

- exports a function slugify
- "Hello World" becomes "hello-world"
- no dependencies, ie. no import and no require
- there must be a test file test/slugify.test.js
- all tests must pass
`,
    requirements: [
      { text: 'Write src/slugify.js' },
      { text: 'exports a function slugify' },
      { text: '"Hello World" becomes "hello-world"' },
      { text: 'no dependencies, ie. no import and no require' },
      { text: 'there must be a test file test/slugify.test.js' },
      { text: 'all tests must pass' },
    ],
    outputs: [
      // The tests look right, and nobody ran them.
      bad('good', '+++++?', {
        'src/slugify.js': `/** Returns the text in lower case with hyphens in place of spaces. */
export function slugify(text) {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
`,
        'test/slugify.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { slugify } from '../src/slugify.js';

test('puts hyphens between words', () => {
  assert.equal(slugify('Hello World'), 'hello-world');
});
`,
      }),
      // The export has no name. The comments repeat the task.
      bad('wrong', '+----?', {
        'src/slugify.js': `import kebabCase from 'lodash.kebabcase';

// "Hello World" becomes "hello-world"
export default function (text) {
  return kebabCase(text).toUpperCase();
}

// TODO: there must be a test file test/slugify.test.js
`,
      }),
    ],
  },
  {
    id: 'debounce',
    areas: ['meaning', 'quantity', 'polarity', 'empty'],
    task: 'debounce function in debounce.js, at most 20 lines, do not use var. Calls within the delay must be merged into one call at the end.',
    requirements: [
      { text: 'debounce function in debounce.js, at most 20 lines, do not use var.' },
      { text: 'Calls within the delay must be merged into one call at the end.' },
    ],
    outputs: [
      // Seven lines that a reader can follow.
      good('good', '++', {
        'debounce.js': `export function debounce(action, delay) {
  let timer;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...values), delay);
  };
}
`,
      }),
      // Nothing clears the timer, so each call is only delayed.
      bad('no-clear', '+-', {
        'debounce.js': `// Calls within the delay are merged into one call at the end.
export function debounce(action, delay) {
  let timer;
  return (...values) => {
    timer = setTimeout(() => action(...values), delay);
  };
}
`,
      }),
      bad('var', '-+', {
        'debounce.js': `export function debounce(action, delay) {
  var timer;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...values), delay);
  };
}
`,
      }),
    ],
  },
  {
    id: 'upload-client',
    areas: ['checkable', 'polarity', 'trap'],
    task: 'Write upload.ts, which sends a file to our API. The token must come from the environment variable UPLOAD_TOKEN. Never log the token. Must not contain console.log. It ought to retry twice when the network fails.',
    requirements: [
      { text: 'Write upload.ts, which sends a file to our API.' },
      { text: 'The token must come from the environment variable UPLOAD_TOKEN.' },
      { text: 'Never log the token.' },
      { text: 'Must not contain console.log.' },
      { text: 'It ought to retry twice when the network fails.', strength: 'should' },
    ],
    outputs: [
      // The address of the API is a placeholder; the task does not say the right one.
      bad('good', '?++++', {
        'upload.ts': `import { readFile } from 'node:fs/promises';

export async function upload(path: string): Promise<void> {
  const token = process.env['UPLOAD_TOKEN'];
  if (token === undefined) throw new Error('Set UPLOAD_TOKEN');
  const body = await readFile(path);
  for (let attempt = 0; ; attempt += 1) {
    try {
      const answer = await fetch('https://api.example.com/files', {
        method: 'POST',
        headers: { authorization: 'Bearer ' + token },
        body,
      });
      if (!answer.ok) process.stderr.write('The upload was refused: ' + answer.status + '\\n');
      return;
    } catch (error) {
      if (attempt === 2) throw error;
    }
  }
}
`,
      }),
      bad('hard-coded', '?----', {
        'upload.ts': `// Reads the token from the environment variable UPLOAD_TOKEN, never logs the token.
const token = '${'ghp_'}9sKd72LmQx0pVfTzR4bWnYc8HjUeAo15GiXq';

export async function upload(body: Blob): Promise<void> {
  console.log('uploading with', token);
  await fetch('https://api.example.com/files', {
    method: 'POST',
    headers: { authorization: 'Bearer ' + token },
    body,
  });
}
`,
      }),
    ],
  },
];
