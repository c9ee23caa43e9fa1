import { errorTable } from '../../core/error-table.js';

/** The errors of the checklist gate. */
export const checklistErrors = /* @__PURE__ */ errorTable({
  checklist_missing: {
    kind: 'environment',
    fix:
      'Decompose the phase first. If it was decomposed before, find its state file: ' +
      'the gate never replaces a missing state.',
  },
  checklist_exists: {
    kind: 'usage',
    fix: 'Verify the work that the phase was decomposed from, or use another state directory.',
  },
  checklist_not_escalated: {
    kind: 'environment',
    fix: 'Fix the failed items and verify again: failures can be accepted only after the gate has asked a person.',
  },
  checklist_empty: {
    kind: 'judge',
    fix: 'Decompose into at least one item, or set `allowEmpty`: a gate without items would approve everything.',
  },
  checklist_item_unknown: {
    kind: 'judge',
    fix: 'Name an item of this phase; `reviewloop checklist list` shows them.',
  },
  checklist_item_invalid: {
    kind: 'judge',
    fix: 'Correct the item that the message names: a scope on one line, and a check.',
  },
  checklist_transition: {
    kind: 'judge',
    fix:
      'Let only verifiers write PASS or FAIL, and give each FAIL a finding. PASS is ' +
      'final until its subject changes.',
  },
});
