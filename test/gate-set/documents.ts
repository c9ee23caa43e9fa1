/** One line of a document that states a demand on the thing to be built. */
export interface LabelledLine {
  /** The line on which the demand begins, from 1. */
  readonly line: number;
  readonly strength: 'must' | 'should' | 'may';
}

/** A document of `documents/` and the lines that state its requirements. */
export interface LabelledDocument {
  readonly path: string;
  readonly kind: string;
  readonly requirements: readonly LabelledLine[];
  /** Lines that two careful people may label differently: they count neither way. */
  readonly debatable: readonly number[];
}

/** The labels of the ten documents. Every other line states no requirement. */
export const labelledDocuments: readonly LabelledDocument[] = [
  {
    path: 'documents/plant-reminder-prd.md',
    kind: 'PRD',
    requirements: [
      { line: 25, strength: 'must' },
      { line: 26, strength: 'must' },
      { line: 27, strength: 'must' },
      { line: 28, strength: 'must' },
      { line: 29, strength: 'should' },
      { line: 30, strength: 'may' },
      { line: 31, strength: 'must' },
      { line: 35, strength: 'must' },
      { line: 37, strength: 'should' },
      { line: 41, strength: 'must' },
      { line: 42, strength: 'must' },
      { line: 43, strength: 'must' },
      { line: 44, strength: 'should' },
    ],
    debatable: [36],
  },
  {
    path: 'documents/library-stories.md',
    kind: 'user stories',
    requirements: [
      { line: 8, strength: 'must' },
      { line: 12, strength: 'must' },
      { line: 13, strength: 'must' },
      { line: 14, strength: 'must' },
      { line: 20, strength: 'must' },
      { line: 26, strength: 'must' },
      { line: 27, strength: 'must' },
      { line: 31, strength: 'must' },
      { line: 32, strength: 'must' },
      { line: 36, strength: 'must' },
      { line: 38, strength: 'should' },
      { line: 39, strength: 'must' },
      { line: 40, strength: 'must' },
    ],
    debatable: [],
  },
  {
    path: 'documents/csv-import-spec.md',
    kind: 'specification',
    requirements: [
      { line: 12, strength: 'must' },
      { line: 14, strength: 'must' },
      { line: 17, strength: 'must' },
      { line: 19, strength: 'should' },
      { line: 21, strength: 'may' },
      { line: 25, strength: 'must' },
      { line: 26, strength: 'must' },
      { line: 37, strength: 'must' },
      { line: 38, strength: 'must' },
      { line: 40, strength: 'must' },
      { line: 41, strength: 'should' },
      { line: 46, strength: 'must' },
    ],
    debatable: [16, 39],
  },
  {
    path: 'documents/dark-mode-issue.md',
    kind: 'issue',
    requirements: [
      { line: 10, strength: 'must' },
      { line: 11, strength: 'must' },
      { line: 12, strength: 'must' },
      { line: 13, strength: 'must' },
      { line: 15, strength: 'should' },
      { line: 32, strength: 'must' },
      { line: 33, strength: 'must' },
      { line: 44, strength: 'may' },
    ],
    debatable: [],
  },
  {
    path: 'documents/bowling-kata-readme.md',
    kind: 'README with a task',
    requirements: [
      { line: 15, strength: 'must' },
      { line: 17, strength: 'must' },
      { line: 18, strength: 'must' },
      { line: 19, strength: 'must' },
      { line: 20, strength: 'must' },
      { line: 21, strength: 'must' },
      { line: 22, strength: 'should' },
      { line: 23, strength: 'may' },
    ],
    debatable: [],
  },
  {
    path: 'documents/shop-launch-checklist.md',
    kind: 'checklist',
    requirements: [
      { line: 11, strength: 'must' },
      { line: 12, strength: 'must' },
      { line: 13, strength: 'must' },
      { line: 14, strength: 'should' },
      { line: 18, strength: 'must' },
      { line: 19, strength: 'must' },
      { line: 20, strength: 'must' },
      { line: 24, strength: 'must' },
      { line: 25, strength: 'must' },
      { line: 26, strength: 'must' },
      { line: 27, strength: 'may' },
    ],
    debatable: [],
  },
  {
    path: 'documents/job-queue-adr.md',
    kind: 'ADR with constraints',
    requirements: [
      { line: 31, strength: 'must' },
      { line: 35, strength: 'must' },
      { line: 36, strength: 'must' },
      { line: 37, strength: 'must' },
      { line: 38, strength: 'must' },
      { line: 39, strength: 'should' },
      { line: 40, strength: 'must' },
      { line: 42, strength: 'may' },
    ],
    debatable: [],
  },
  {
    path: 'documents/weather-assignment.md',
    kind: 'assignment',
    requirements: [
      { line: 17, strength: 'must' },
      { line: 19, strength: 'must' },
      { line: 20, strength: 'must' },
      { line: 21, strength: 'must' },
      { line: 22, strength: 'must' },
      { line: 23, strength: 'must' },
      { line: 25, strength: 'should' },
      { line: 27, strength: 'must' },
      { line: 31, strength: 'may' },
    ],
    debatable: [13, 43, 44],
  },
  {
    path: 'documents/bakery-client-mail.md',
    kind: 'mail of a customer',
    requirements: [
      { line: 13, strength: 'must' },
      { line: 16, strength: 'must' },
      { line: 19, strength: 'must' },
      { line: 22, strength: 'must' },
      { line: 23, strength: 'must' },
      { line: 25, strength: 'should' },
      { line: 27, strength: 'may' },
      { line: 32, strength: 'must' },
    ],
    debatable: [14, 17],
  },
  {
    path: 'documents/parcel-api-contract.md',
    kind: 'API contract',
    requirements: [
      { line: 15, strength: 'must' },
      { line: 16, strength: 'must' },
      { line: 17, strength: 'must' },
      { line: 18, strength: 'must' },
      { line: 22, strength: 'must' },
      { line: 23, strength: 'must' },
      { line: 24, strength: 'must' },
      { line: 25, strength: 'must' },
      { line: 26, strength: 'should' },
      { line: 27, strength: 'may' },
      { line: 31, strength: 'must' },
      { line: 34, strength: 'must' },
    ],
    debatable: [],
  },
];
