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
}

const labels = { '+': 'satisfied', '-': 'violated', '?': 'untold' } as const;

/** The indices of the requirements with each label, from one mark for each requirement. */
function truthOf(marks: string): GateOutput['truth'] {
  const found = [...marks].map((mark) => Object.entries(labels).find(([is]) => is === mark)?.[1]);
  if (found.includes(undefined)) throw new Error(`${marks} has a mark other than +, - and ?`);
  return Object.fromEntries(
    Object.values(labels).flatMap((label) => {
      const indices = found.flatMap((one, index) => (one === label ? [index] : []));
      return indices.length > 0 ? [[label, indices]] : [];
    }),
  );
}

const output =
  (approvable: boolean) =>
  (name: string, marks: string, files: GateOutput['files']): GateOutput => ({
    name,
    files,
    truth: truthOf(marks),
    approvable,
  });

/**
 * Takes the files of an output that may be approved, with a mark for each requirement: `+` is
 * satisfied, `-` violated, and `?` cannot be told. A comment above says why where that is not obvious.
 */
export const good = output(true);

/** The same for an output that must not be approved. */
export const bad = output(false);

export interface GateTask {
  readonly id: string;
  readonly areas: readonly GateArea[];
  /** The task exactly as its author wrote it, with typos. */
  readonly task: string;
  readonly requirements: readonly GateRequirement[];
  readonly outputs: readonly GateOutput[];
}

export const labelOf = ({ truth }: GateOutput, requirement: number): string =>
  Object.entries(truth).find(([, indices]) => indices.includes(requirement))?.[0] ?? 'no label';

/** A page in English with a title, and with further lines in its head, around its body. */
export const page =
  (title: string, ...lines: readonly string[]) =>
  ([body = '']: TemplateStringsArray): string => {
    const named = `<title>${title}</title>`;
    const head = lines.length > 0 ? `\n    ${[named, ...lines].join('\n    ')}\n  ` : named;
    return `<!doctype html>
<html lang="en">
  <head>${head}</head>
  <body>${body}  </body>
</html>
`;
  };
