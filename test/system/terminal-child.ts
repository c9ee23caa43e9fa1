// Asks the person at the terminal one question, and writes the answer to a file.
import { renameSync, writeFileSync } from 'node:fs';
import { terminalPerson } from '@/faces/people/terminal-person.js';

const [, , mode = 'key', out = ''] = process.argv;
process.on('SIGHUP', () => {});
const answer = await terminalPerson({ by: 'Ada', mode: mode as 'key' | 'line' | 'menu' }).ask(
  {
    id: 'id',
    runId: 'run',
    digest: 'd',
    question: 'Let it out?',
    gaps: [],
    allowed: ['approve', 'reject', 'revise', 'skip', 'override'],
    approved: true,
  },
  {
    title: 'Review: T-1 — tea',
    summary: 'SUMMARY \u001b[2Jof\u202e it',
    changes: 'CHANGES',
    note: 'the findings',
  },
);
// whole or not there: the test reads it as soon as it exists
writeFileSync(`${out}.part`, JSON.stringify(answer ?? 'no answer'));
renameSync(`${out}.part`, out);
console.log('DONE');
process.exit(0);
