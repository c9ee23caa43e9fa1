import { bad, type GateTask, good } from './types.js';

/** Tasks about scripts of other languages and about plans. */
export const scriptsAndPlans: readonly GateTask[] = [
  {
    id: 'word-count',
    areas: ['meaning', 'checkable', 'scope'],
    task: `python script count.py that counts the words of a text file

[ ] every function has a docstring
[ ] type hints on all functions
[ ] a missing file gives a clear error message and exit code 2
[ ] has to handle files of 2 GB in under a minute
`,
    requirements: [
      { text: 'python script count.py that counts the words of a text file' },
      { text: 'every function has a docstring' },
      { text: 'type hints on all functions' },
      { text: 'a missing file gives a clear error message and exit code 2' },
      { text: 'has to handle files of 2 GB in under a minute' },
    ],
    outputs: [
      // Nobody measured a file of 2 GB.
      bad('good', '++++?', {
        'count.py': `"""Counts the words of a text file."""
import sys


def count_words(path: str) -> int:
    """Return the number of words in the file."""
    with open(path, encoding="utf-8") as lines:
        return sum(len(line.split()) for line in lines)


def main(arguments: list[str]) -> int:
    """Print the number of words, or an error."""
    if len(arguments) != 1:
        print("usage: count.py FILE", file=sys.stderr)
        return 2
    try:
        print(count_words(arguments[0]))
    except FileNotFoundError:
        print(f"cannot find {arguments[0]}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
`,
      }),
      // It counts characters, and a missing file ends in a traceback with code 1.
      bad('sloppy', '----?', {
        'count.py': `"""A missing file gives a clear error message and exit code 2."""
import sys


def count(path):
    text = open(path).read()
    return len(text)


print(count(sys.argv[1]))
`,
      }),
    ],
  },
  {
    id: 'sql-migration',
    areas: ['checkable', 'polarity', 'meaning', 'empty'],
    task: 'Write migrations/007.sql. It adds a nullable column archived_at to the table orders. The migration must not drop or delete anything. Existing queries must not become slower.',
    requirements: [
      { text: 'Write migrations/007.sql.' },
      { text: 'It adds a nullable column archived_at to the table orders.' },
      { text: 'The migration must not drop or delete anything.' },
      { text: 'Existing queries must not become slower.' },
    ],
    outputs: [
      // Only a measurement shows whether queries become slower.
      bad('add', '+++?', {
        'migrations/007.sql': `-- Does not drop or delete anything.
BEGIN;
ALTER TABLE orders ADD COLUMN archived_at timestamptz NULL;
COMMIT;
`,
      }),
      bad('not-null', '+--?', {
        'migrations/007.sql': `BEGIN;
DELETE FROM orders WHERE status = 'archived';
ALTER TABLE orders ADD COLUMN archived_at timestamptz NOT NULL DEFAULT now();
COMMIT;
`,
      }),
      // There is no migration whose effects could be judged.
      bad('blank', '--??', { 'migrations/007.sql': '\n\n' }),
    ],
  },
  {
    id: 'move-plan',
    areas: ['quantity', 'scope', 'trap', 'off-topic'],
    task: `We move our wiki to a new server. Write the plan (PLAN.md), please.

The plan needs at least five numbered steps.
Every step names who does it.
There must be a section "Rollback".
No step may happen on a Friday.
`,
    requirements: [
      { text: 'Write the plan (PLAN.md), please.' },
      { text: 'The plan needs at least five numbered steps.' },
      { text: 'Every step names who does it.' },
      { text: 'There must be a section "Rollback".' },
      { text: 'No step may happen on a Friday.' },
    ],
    outputs: [
      good('plan', '+++++', {
        'PLAN.md': `# Move of the wiki

## Steps

1. Monday: Lena orders the server and opens port 443.
2. Monday: Sam installs the wiki there, same version as today.
3. Tuesday: Sam copies the database and compares the number of pages.
4. Wednesday, 20:00: Lena makes the old wiki read-only and copies what changed.
5. Wednesday, 21:00: Lena changes the DNS record.
6. Thursday: Joe asks three people of each team to open ten pages.

## Rollback

Until Thursday evening Lena can point the DNS record back to the old server. It stays untouched for
a month.
`,
      }),
      // The note promises a plan.
      bad('note', '----?', {
        'PLAN.md': `# Plan

TODO: write the plan with at least five numbered steps, who does each of them, and a section
"Rollback". Not on a Friday.
`,
      }),
      // The word rollback occurs in a step; there is no such section.
      bad('friday', '++---', {
        'PLAN.md': `# Move of the wiki

1. Monday: Lena orders the server.
2. Tuesday: install the wiki, same version as today.
3. Wednesday: Sam copies the database.
4. Thursday: Sam tests a rollback once.
5. Friday, 20:00: Lena changes the DNS record.

If it fails we will think about what to do.
`,
      }),
    ],
  },
  {
    id: 'test-plan',
    areas: ['scope', 'meaning', 'trap', 'empty'],
    task: 'Write a test plan for the password reset. Cover the happy path, an expired link and an unknown e-mail address. Each test case has an expected result. The plan should be easy to read for non-technical colleagues.',
    requirements: [
      { text: 'Write a test plan for the password reset.' },
      { text: 'Cover the happy path, an expired link and an unknown e-mail address.' },
      { text: 'Each test case has an expected result.' },
      {
        text: 'The plan should be easy to read for non-technical colleagues.',
        strength: 'should',
      },
    ],
    outputs: [
      // The open point is a wish.
      good('cases', '+++?', {
        'test-plan.md': `# Test plan: password reset

## 1. Everything goes well

Do: ask for a new password with the address of an existing account, open the link, set a password.
Expected result: you can log in with the new password, and no longer with the old one.

## 2. The link is too old

Do: open the link after 24 hours.
Expected result: the page says that the link has expired and offers a new one.

## 3. Nobody has this address

Do: ask for a new password with an address without an account.
Expected result: the page says the same as in case 1, and no e-mail is sent.
`,
      }),
      // The third case is announced only, and one result is open.
      bad('promise', '+--?', {
        'test-plan.md': `# Test plan: password reset

This plan will cover the happy path, an expired link and an unknown e-mail address.

## Happy path

Do: ask for a new password, open the link, set a password.
Expected result: you can log in.

## Expired link

Do: open the link after 24 hours.
Expected result: to be defined.
`,
      }),
    ],
  },
];
