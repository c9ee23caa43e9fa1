/** A document of `documents/` and the lines that state its requirements. */
export interface LabelledDocument {
  readonly path: string;
  readonly kind: string;
  /** The lines on which demands on the thing to be built begin, from 1, by their strength. */
  readonly requirements: Readonly<Partial<Record<'must' | 'should' | 'may', readonly number[]>>>;
  /** Lines that two careful people may label differently: they count neither way. */
  readonly debatable: readonly number[];
}

/** The labels of the ten documents. Every other line states no requirement. */
export const labelledDocuments: readonly LabelledDocument[] = [
  {
    path: 'documents/plant-reminder-prd.md',
    kind: 'PRD',
    requirements: { must: [25, 26, 27, 28, 31, 35, 41, 42, 43], should: [29, 37, 44], may: [30] },
    debatable: [36],
  },
  {
    path: 'documents/library-stories.md',
    kind: 'user stories',
    requirements: { must: [8, 12, 13, 14, 20, 26, 27, 31, 32, 36, 39, 40], should: [38] },
    debatable: [],
  },
  {
    path: 'documents/csv-import-spec.md',
    kind: 'specification',
    requirements: { must: [12, 14, 17, 25, 26, 37, 38, 40, 46], should: [19, 41], may: [21] },
    debatable: [16, 39],
  },
  {
    path: 'documents/dark-mode-issue.md',
    kind: 'issue',
    requirements: { must: [10, 11, 12, 13, 32, 33], should: [15], may: [44] },
    debatable: [],
  },
  {
    path: 'documents/bowling-kata-readme.md',
    kind: 'README with a task',
    requirements: { must: [15, 17, 18, 19, 20, 21], should: [22], may: [23] },
    debatable: [],
  },
  {
    path: 'documents/shop-launch-checklist.md',
    kind: 'checklist',
    requirements: { must: [11, 12, 13, 18, 19, 20, 24, 25, 26], should: [14], may: [27] },
    debatable: [],
  },
  {
    path: 'documents/job-queue-adr.md',
    kind: 'ADR with constraints',
    requirements: { must: [31, 35, 36, 37, 38, 40], should: [39], may: [42] },
    debatable: [],
  },
  {
    path: 'documents/weather-assignment.md',
    kind: 'assignment',
    requirements: { must: [17, 19, 20, 21, 22, 23, 27], should: [25], may: [31] },
    debatable: [13, 43, 44],
  },
  {
    path: 'documents/bakery-client-mail.md',
    kind: 'mail of a customer',
    requirements: { must: [13, 16, 19, 22, 23, 32], should: [25], may: [27] },
    debatable: [14, 17],
  },
  {
    path: 'documents/parcel-api-contract.md',
    kind: 'API contract',
    requirements: { must: [15, 16, 17, 18, 22, 23, 24, 25, 31, 34], should: [26], may: [27] },
    debatable: [],
  },
];

export const linesOf = ({ requirements }: LabelledDocument): readonly number[] =>
  Object.values(requirements)
    .flat()
    .sort((a, b) => a - b);
