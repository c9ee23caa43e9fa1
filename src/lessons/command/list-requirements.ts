import type { StoredCall } from '../../cli-kit/flags/command.js';
import type { SettingsOf } from '../../cli-kit/flags/flag.js';
import { plural } from '../../core/plural.js';
import { oneLine, terminalSafeJson } from '../../terminal/sanitise.js';
import { draftFromReasons } from '../draft-from-reasons.js';
import { readAnswers } from './drafts.js';
import type { requirementsFlags } from './lessons-flags.js';

const head = `# Drafts of requirements, from reasons of people who rejected work. Reword an entry, and
# put it into a requirements file. Nobody judges it while its strength is OUT.
requirements:
`;

/**
 * Prints drafts of entries of a requirements file, and returns the exit code. All are `OUT`, so that
 * none judges until a person changes it.
 */
export async function listRequirements(
  { io, store }: StoredCall,
  { labels, format }: SettingsOf<typeof requirementsFlags>,
): Promise<number> {
  const { reasons } = await readAnswers(io, { labels, store });
  const drafts = draftFromReasons(reasons).map(({ basis, ...draft }, index) => ({
    id: `L${index + 1}`,
    text: basis.examples[0] ?? draft.question,
    strength: 'OUT',
    seen: basis.seen,
  }));
  if (format === 'json') {
    await io.out(`${terminalSafeJson({ schemaVersion: 1, requirements: drafts })}\n`);
    return 0;
  }
  const lines = drafts.map(
    // a JSON text is a YAML text
    ({ id, text, strength, seen }) =>
      `  # in ${plural(seen, 'answer')}\n  - id: ${id}\n    text: ${JSON.stringify(oneLine(text))}\n    strength: ${strength}\n`,
  );
  await io.out(
    lines.length === 0
      ? 'no drafts: no two runs were rejected for reasons that are alike\n'
      : `${head}${lines.join('')}`,
  );
  return 0;
}
