// The wings of `src`, from the ground up, and the floors of each: a room imports rooms of lower floors only, and rooms of
// one floor do not know each other. A wing's own files are a room too. src/README.md shows the same floors, and a
// test compares the two.
const wings = {
  core: [['core'], ['core/text', 'core/redact', 'core/diff']],
  ports: [['ports']],
  engine: [['engine', 'engine/policies']],
  node: [['node'], ['node/terminal', 'node/git']],
  blocks: [
    ['blocks/lessons', 'blocks/models', 'blocks/tokens'],
    ['blocks/address', 'blocks/requirements'],
    ['blocks/reviewers'],
    ['blocks/criteria'],
    ['blocks/pipeline'],
  ],
  adapters: [
    [
      'adapters/engines',
      'adapters/frameworks',
      'adapters/otel',
      'adapters/providers',
      'adapters/scorers',
      'adapters/stores',
    ],
  ],
  products: [
    ['products/self-review'],
    [
      'products/checklist-gate',
      'products/quality-gate',
      'products/reviewer-stage',
      'products/task-review',
    ],
    ['products/calibration'],
  ],
  faces: [
    ['faces/config', 'faces/people', 'faces/reports'],
    ['faces/cli-kit', 'faces/hooks', 'faces/inbox'],
  ],
  testing: [['testing']],
};
const floors = Object.values(wings).flat();

/** The expression of the files of a room, without those of the rooms inside it. */
function roomFiles(room) {
  const inside = floors.flat().filter((other) => other.startsWith(`${room}/`));
  const but = inside.map((other) => `${other.slice(room.length + 1)}/`).join('|');
  return `^src/${room}/${but === '' ? '' : `(?!${but})`}`;
}

module.exports = { floors, roomFiles, wings };
