/** What a careful person says about one requirement after reading one output. */
export type GateTruth = 'satisfied' | 'violated' | 'untold';

/** The parts of the set, so that results can be counted for each. */
export type GateArea =
  | 'checkable'
  | 'polarity'
  | 'quantity'
  | 'scope'
  | 'meaning'
  | 'trap'
  | 'empty'
  | 'off-topic';

/** One requirement, in the words of its task. */
export interface GateRequirement {
  readonly text: string;
  /** The strength where it is weaker than a demand. @default 'must' */
  readonly strength?: 'must' | 'should' | 'may';
}

/** What somebody handed in for a task, with the labels of the annotator. */
export interface GateOutput {
  readonly name: string;
  /** The contents of the files, by their paths. */
  readonly files: Readonly<Record<string, string>>;
  /** The indices of the requirements with each label: every requirement has one. */
  readonly truth: Readonly<Partial<Record<GateTruth, readonly number[]>>>;
  /** True only if every mandatory requirement is satisfied beyond doubt. */
  readonly approvable: boolean;
  /** The reason for a label that is not obvious. */
  readonly why?: string;
}

/** Labels of an output, and the reason for one that is not obvious. */
type Labels = GateOutput['truth'] & { readonly why?: string };

const output =
  (approvable: boolean) =>
  (name: string, { why, ...truth }: Labels) =>
  (files: GateOutput['files']): GateOutput => ({
    ...{ name, files, truth, approvable },
    ...(why !== undefined && { why }),
  });

/** Takes the files of an output that may be approved, with its labels. */
export const good = output(true);

/** Takes the files of an output that must not be approved, with its labels. */
export const bad = output(false);

export interface GateTask {
  readonly id: string;
  readonly areas: readonly GateArea[];
  /** The task exactly as its author wrote it, with typos. */
  readonly task: string;
  readonly requirements: readonly GateRequirement[];
  readonly outputs: readonly GateOutput[];
}

/** Returns the label of a requirement. */
export const labelOf = ({ truth }: GateOutput, requirement: number): string =>
  Object.entries(truth).find(([, indices]) => indices.includes(requirement))?.[0] ?? 'no label';

/** A page in English with a title, around its body. */
export const page =
  (title: string) =>
  ([body = '']: TemplateStringsArray): string =>
    `<!doctype html>
<html lang="en">
  <head><title>${title}</title></head>
  <body>${body}  </body>
</html>
`;
