// A room imports rooms of lower floors only; rooms of one floor do not know each other.
// src/README.md shows the same floors, and a test compares the two.
const floors = [
  ['core'],
  ['text', 'redact', 'diff'],
  ['ports'],
  ['engine', 'node', 'model', 'policies', 'terminal', 'tokens'],
  ['requirements', 'address', 'git', 'people', 'providers'],
  ['reviewers'],
  ['criteria'],
  ['pipeline'],
  ['self-review', 'frameworks', 'otel', 'scorers'],
  ['checklist-gate', 'lessons', 'quality-gate', 'reviewer-stage', 'task-review'],
  ['calibration', 'engines', 'stores', 'reports'],
  ['config', 'testing'],
  ['cli-kit', 'hooks', 'inbox'],
];

/** Rooms that come later, and the floor (counted from 1) on which each will stand. */
const reserved = {};

module.exports = { floors, reserved };
