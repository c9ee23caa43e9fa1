import { commandGroup, defineCommand } from '../../cli-kit/flags/command.js';
import { acceptFlags, draftsFlags, rejectFlags, requirementsFlags } from './lessons-flags.js';

const help = `
With \`learn: true\` in the configuration, \`review\` and \`tasks run\` store lessons. A pipeline with
\`learn: fileLessons('.reviewloop/lessons.jsonl')\` stores them too, or the database of
--store contains them. A kind of gap that came up more than once becomes a draft of a checklist
item. A draft judges nothing until a person accepts it, in better words. reviewloop.criteria.json
contains the accepted items; put it under version control.
Answers of people lead to drafts too. \`people-...\` quotes why they rejected work, and needs a
--question. \`judge-...\` is a rule: verdicts of a judge that people often disagreed with become
questions. It counts while \`learn\` of the configuration is set. They judge if the criteria contain the
name \`accepted\`. Every decision is recorded in the audit log first.

Exit codes: 0 done, 1 a file or the audit log is broken, 2 usage error.

Examples:
  reviewloop lessons drafts
  reviewloop lessons accept lesson-missing-major --question 'Does every form field have a label?' --as labels
  reviewloop lessons reject lesson-quality-minor --reason 'a matter of taste'
  reviewloop review site --task TASK.md --criteria accepted --provider anthropic:MODEL`;

export const lessonsCommand = commandGroup({
  name: 'lessons',
  summary: 'make checklist items from lessons of earlier runs',
  description:
    'Lists lessons of earlier runs as drafts of checklist items, which a person accepts or rejects.',
  help,
  commands: [
    defineCommand({
      name: 'drafts',
      summary: 'list the drafts',
      description: 'Lists the checklist items that lessons suggest, most frequent first.',
      flags: draftsFlags,
      run: async (...given) => (await import('./drafts.js')).listDrafts(...given),
    }),
    defineCommand({
      name: 'requirements',
      summary: 'draft entries of a requirements file',
      description: 'Prints drafts of requirements from reasons of people who rejected work.',
      flags: requirementsFlags,
      run: async (...given) => (await import('./drafts.js')).listRequirements(...given),
    }),
    defineCommand({
      name: 'accept',
      summary: 'turn a draft into a criterion, or follow a rule about a judge',
      description:
        'Turns a draft into a criterion that a model answers, or into a rule about a judge.',
      flags: acceptFlags,
      person: ({ id }) => `you accept the draft ${id}`,
      run: async (call, settings) =>
        (await import('./drafts.js')).decide(call, { ...settings, decision: 'accepted' }),
    }),
    defineCommand({
      name: 'reject',
      summary: 'reject a draft',
      description: 'Rejects a draft: it is no longer listed.',
      flags: rejectFlags,
      person: ({ id }) => `you reject the draft ${id}`,
      run: async (call, settings) =>
        (await import('./drafts.js')).decide(call, { ...settings, decision: 'rejected' }),
    }),
  ],
});
