import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { plural } from '@/core/plural.js';

const counted =
  /\$\{[^{}]*(?:\.length|\.size|[cC]ount\b|\blost|\bcycles|\bgaps|\blessons|\bseen|\brepairs|\bfewest|\bissues)[^{}]*\} (?:(?:open|critical|major|minor|blocking|failed|optional|more|unverified) )?(?!is\b|was\b|has\b|does\b|this\b)[a-z]{3,}s\b/;

/** Texts whose number is never one, or whose words belong to the format of another program. */
const others = [
  /matching\.length\}|found\.length\} runs begin|requests\.length\} answers|best of \$\{/,
  /characters|bytes|tokens, more|hunks|results`|reviewers not asked|judges voted|findings omitted/,
  /too many to include inline|found\.length > 1|count > 1|findings\.length\} places/,
  /lines of the diff|milestones are not delivered|values are tokens|`All \$\{|All \$\{/,
  /drafts start with|checks failed ✗|judges failed: |assessments \$\{are\}|tasks \$\{have\}/,
];

it('a number is never beside a plural that one would make wrong', () => {
  const wrong = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) =>
      readFileSync(join('src', file), 'utf8')
        .split('\n')
        .map((line, index) => ({ place: `${file}:${index + 1}`, line: line.trim() })),
    )
    .filter(({ line }) => counted.test(line) && !others.some((one) => one.test(line)));
  expect(wrong).toEqual([]);
});

it('one is one, and everything else is many', () => {
  expect([0, 1, 2].map((count) => plural(count, 'gap'))).toEqual(['0 gaps', '1 gap', '2 gaps']);
  expect(plural(2, 'entry', 'entries')).toBe('2 entries');
});
