import * as z from 'zod';
import { cutAroundSecrets } from '../../../core/redact/secrets.js';
import { finding, jsonOf, type ToolFinding, undecided } from './parse-reports.js';

/** From the least to the greatest. */
const levels = ['none', 'note', 'warning', 'error'];

/** Kinds of results that are no failure; `open` and `review` are decided by nobody yet. */
const passed = ['pass', 'notApplicable', 'informational'];

/**
 * Returns the findings of a SARIF report; undefined for any other text. What the report leaves open
 * is a finding without a decision: a failed execution, no results, an unknown word.
 */
export function parseSarif(text: string): ToolFinding[] | undefined {
  return jsonOf(text, Log)?.flatMap(({ version, runs, inlineExternalProperties }) => [
    ...(version == null || version.startsWith('2.1')
      ? []
      : [undecided(`the report has version ${version} of SARIF, not 2.1.0`)]),
    ...(inlineExternalProperties?.length
      ? [undecided('a part of the report is in its external properties')]
      : []),
    ...(runs?.length ? runs.flatMap(findingsOf) : [undecided('the report has no run of a tool')]),
  ]);
}

function findingsOf(given: object): ToolFinding[] {
  const { data: run, error } = Run.safeParse(given);
  if (run === undefined)
    return [undecided(`a run is no run of SARIF: ${error.issues[0]?.path.join('.') ?? ''}`)];
  const { results, externalPropertyFileReferences: external } = run;
  const rules = new Descriptors(run, 'rules');
  return [
    ...(Object.keys(external ?? {}).length > 0
      ? [undecided('a part of the report is in other files')]
      : []),
    ...(results == null ? [undecided('a run has no list of results')] : []),
    ...failuresOf(run),
    ...(results ?? []).flatMap((result) => findingOf(result, rules)),
  ];
}

/** What kept a tool from looking at everything. */
function failuresOf(run: Run): ToolFinding[] {
  const kinds = new Descriptors(run, 'notifications');
  return (run.invocations ?? []).flatMap((invocation, at) => {
    const notes = [
      ...(invocation.toolExecutionNotifications ?? []),
      ...(invocation.toolConfigurationNotifications ?? []),
    ].filter(
      ({ level, descriptor }) =>
        !levels.slice(0, -1).includes(level ?? kinds.levelOf([descriptor ?? {}], at) ?? ''),
    );
    const isFailed =
      invocation.executionSuccessful === false || invocation.processStartFailureMessage != null;
    return [
      ...(isFailed ? [undecided('the tool says that its execution failed')] : []),
      ...notes.map(({ message }) => undecided(`the tool failed: ${message?.text ?? 'no message'}`)),
    ];
  });
}

function findingOf(result: Result, rules: Descriptors): ToolFinding[] {
  const { suppressions, baselineState, message, locations } = result;
  const isSuppressed =
    suppressions?.every(({ status }) => status == null || status === 'accepted') === true &&
    suppressions.length > 0;
  const said = isSuppressed || baselineState === 'absent' ? 'none' : saidOf(result, rules);
  if (said === 'none') return [];
  const { artifactLocation, region } = locations?.[0]?.physicalLocation ?? {};
  const snippet = region?.snippet?.text?.trim() ?? '';
  const unclear = said === undefined ? `(kind ${result.kind}, level ${result.level}) ` : '';
  const found = finding({
    said: said ?? 'undecided',
    text: `${unclear}${message?.text ?? message?.markdown ?? 'no message'}`,
    rule: result.ruleId ?? result.rule?.id ?? undefined,
    file: artifactLocation?.uri?.replace(/^file:\/\/(?=\/)/, ''),
    line: region?.startLine,
    endLine: region?.endLine,
  });
  return [{ ...found, ...(snippet !== '' && { evidence: cutAroundSecrets(snippet, 300) }) }];
}

/** Undefined if the report does not tell the level. */
function saidOf(
  { kind, level, ruleId, ruleIndex, rule, provenance }: Result,
  rules: Descriptors,
): string | undefined {
  if (level === 'error') return level;
  if (level != null && !levels.includes(level)) return undefined;
  if (kind != null && kind !== 'fail') return passed.includes(kind) ? 'none' : undefined;
  if (level != null) return level;
  const { toolComponent, ...named } = rule ?? {};
  const references = [named, { id: ruleId, index: ruleIndex }];
  return rules.levelOf(
    references.map((one) => ({ ...one, toolComponent })),
    provenance?.invocationIndex ?? -1,
  );
}

class Descriptors {
  readonly #run: Run;
  readonly #kind: 'rules' | 'notifications';
  readonly #overrides: readonly (Override & {
    readonly of: ReadonlySet<Descriptor>;
    readonly at: number;
  })[];

  constructor(run: Run, kind: 'rules' | 'notifications') {
    this.#run = run;
    this.#kind = kind;
    const key =
      kind === 'rules' ? 'ruleConfigurationOverrides' : 'notificationConfigurationOverrides';
    this.#overrides = (run.invocations ?? []).flatMap((invocation, at) =>
      (invocation[key] ?? []).map((one) => ({
        ...one,
        of: new Set(this.#named(one.descriptor)),
        at,
      })),
    );
  }

  /**
   * Returns the greatest level that references to one descriptor allow, in an invocation or in any
   * (-1); undefined for a place that does not exist, and for an unknown word.
   */
  levelOf(references: readonly Reference[], at: number): string | undefined {
    const lists = references.map((reference) => this.#named(reference));
    const found = new Set(lists.flatMap((list) => list ?? []));
    if (lists.includes(undefined) || at >= Math.max(0, this.#run.invocations?.length ?? 0))
      return undefined;
    const own = this.#overrides.filter(
      ({ descriptor, of, at: index }) =>
        (at < 0 || at === index) &&
        ([...of].some((one) => found.has(one)) ||
          references.some(({ id }) => isSame(descriptor.id, id))),
    );
    const set = own.flatMap(({ configuration }) => configuration.level ?? []);
    const usual = [...found].map((one) => one.defaultConfiguration?.level ?? 'warning');
    // the standard takes an override only for a result that names its invocation
    const all = at >= 0 && set.length > 0 ? set : [...set, ...usual];
    const ranks = all.map((level) => levels.indexOf(level));
    if (ranks.includes(-1)) return undefined;
    return levels[Math.max(...ranks)] ?? 'warning';
  }

  /** Undefined if the place does not exist. */
  #named({ id, index, guid, toolComponent }: Reference): readonly Descriptor[] | undefined {
    const listed = this.#parts(toolComponent).map((one) => one[this.#kind] ?? []);
    const isPlaced = index != null && index >= 0;
    const placed = isPlaced
      ? listed.map((list) => list[index]).filter((one) => one !== undefined)
      : [];
    if (listed.length === 0 || (isPlaced && placed.length === 0)) return undefined;
    const { driver, extensions } = this.#run.tool ?? {};
    const tools: readonly Tool[] = [driver ?? {}, ...(extensions ?? [])];
    const all = tools.flatMap((one) => one[this.#kind] ?? []);
    const own = nearest(listed.flat(), id);
    return [
      ...placed,
      ...all.filter((one) => guid != null && one.guid === guid),
      ...(own.length > 0 ? own : nearest(all, id)),
    ];
  }

  /** The driver, unless the reference names another part. */
  #parts(named: Component | null | undefined): readonly Tool[] {
    const { driver, extensions } = this.#run.tool ?? {};
    if (named == null) return [driver ?? {}];
    const parts = (extensions ?? []).filter((one, at) => isNamed(one, named, at));
    return driver != null && isNamed(driver, named) ? [...parts, driver] : parts;
  }
}

function isNamed({ guid, name }: Tool, by: Component, at = -1): boolean {
  return (
    (at >= 0 && by.index === at) ||
    (by.guid != null && by.guid === guid) ||
    (by.index == null && by.guid == null && by.name != null && by.name === name)
  );
}

function nearest(all: readonly Descriptor[], id: string | null | undefined): Descriptor[] {
  const above = all.filter((one) => isSame(one.id, id));
  const longest = Math.max(...above.map((one) => one.id?.length ?? 0));
  return above.filter((one) => one.id?.length === longest);
}

/** A part of a rule (`A/B` of `A`) counts as the rule. */
function isSame(rule: string | null | undefined, id: string | null | undefined): boolean {
  return rule != null && id != null && (id === rule || id.startsWith(`${rule}/`));
}

const Index = z.int().nullish();

const Text = z.string().nullish();

const Component = z.looseObject({ index: Index, guid: Text, name: Text });

const Reference = z.looseObject({
  id: Text,
  index: Index,
  guid: Text,
  toolComponent: Component.nullish(),
});

const Configuration = z.looseObject({ level: Text });

const Descriptor = z.looseObject({
  id: Text,
  guid: Text,
  defaultConfiguration: Configuration.nullish(),
});

const Tool = z.looseObject({
  name: Text,
  guid: Text,
  rules: z.array(Descriptor).nullish(),
  notifications: z.array(Descriptor).nullish(),
});

const Override = z.looseObject({ descriptor: Reference, configuration: Configuration });

const Notification = z.looseObject({
  level: Text,
  descriptor: Reference.nullish(),
  message: z.looseObject({ text: Text }).nullish(),
});

const Invocation = z.looseObject({
  executionSuccessful: z.boolean().nullish(),
  processStartFailureMessage: Text,
  toolExecutionNotifications: z.array(Notification).nullish(),
  toolConfigurationNotifications: z.array(Notification).nullish(),
  ruleConfigurationOverrides: z.array(Override).nullish(),
  notificationConfigurationOverrides: z.array(Override).nullish(),
});

/** A place decides nothing: one that is malformed is left out. */
const Place = z
  .looseObject({
    artifactLocation: z.looseObject({ uri: z.string().optional() }).optional(),
    region: z
      .looseObject({
        startLine: z.int().min(1).optional(),
        endLine: z.int().min(1).optional(),
        snippet: z.looseObject({ text: z.string().optional() }).optional(),
      })
      .optional(),
  })
  .optional()
  .catch(undefined);

const Result = z.looseObject({
  ruleId: Text,
  ruleIndex: Index,
  rule: Reference.nullish(),
  level: Text,
  kind: Text,
  baselineState: Text,
  provenance: z.looseObject({ invocationIndex: Index }).nullish(),
  suppressions: z.array(z.looseObject({ status: Text })).nullish(),
  message: z.looseObject({ text: Text, markdown: Text }).nullish(),
  locations: z.array(z.looseObject({ physicalLocation: Place })).nullish(),
});

const Run = z.looseObject({
  tool: z.looseObject({ driver: Tool.nullish(), extensions: z.array(Tool).nullish() }).nullish(),
  invocations: z.array(Invocation).nullish(),
  externalPropertyFileReferences: z.record(z.string(), z.unknown()).nullish(),
  results: z.array(Result).nullish(),
});

const Log = z.looseObject({
  version: Text,
  runs: z.array(z.looseObject({})).nullable(),
  inlineExternalProperties: z.array(z.unknown()).nullish(),
});

type Run = z.infer<typeof Run>;

type Result = z.infer<typeof Result>;

type Reference = z.infer<typeof Reference>;

type Component = z.infer<typeof Component>;

type Descriptor = z.infer<typeof Descriptor>;

type Override = z.infer<typeof Override>;

type Tool = z.infer<typeof Tool>;
