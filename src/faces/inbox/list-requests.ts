import type { Severity } from '../../core/gap.js';
import { type HumanRequest, isExpired, isOverride } from '../../core/human.js';
import { redactJson } from '../../core/redact/redact-json.js';
import type { WaitingRun } from '../../ports/store.js';
import { waitingIn } from '../../ports/waiting-runs.js';
import type { InboxSettings } from './inbox-options.js';
import { Refusal } from './inbox-response.js';

export interface ListedRequest
  extends Pick<
    HumanRequest,
    'id' | 'runId' | 'digest' | 'question' | 'allowed' | 'expiresAt' | 'approves'
  > {
  readonly pipeline: string;
  readonly title?: string | undefined;
  /** ISO 8601. */
  readonly askedAt: string;
  readonly expired: boolean;
  readonly overrides: boolean;
  readonly gaps: Readonly<Partial<Record<Severity, number>>>;
  readonly undecided: NonNullable<HumanRequest['undecided']>;
  /** What the question is about, if `produce` or `address` asks: no version is behind it. */
  readonly subject?: unknown;
  readonly elsewhere?: string | undefined;
  readonly responseSchema?: HumanRequest['responseSchema'];
}

/** The newest comes first. */
export interface RequestPage {
  readonly schemaVersion: 1;
  readonly requests: readonly ListedRequest[];
  readonly next?: string | undefined;
}

/** How many runs a page shows, and the most that a client may ask for. */
const usual = 25;
const most = 100;

export async function listRequests(
  url: URL,
  settings: Pick<InboxSettings, 'store' | 'clock' | 'others' | 'elsewhere' | 'titleOf'>,
): Promise<RequestPage> {
  const { store, clock, others, elsewhere, titleOf } = settings;
  const asked = url.searchParams.get('limit');
  const limit = asked === null ? usual : Number(asked);
  if (!Number.isInteger(limit) || limit < 1 || limit > most)
    throw new Refusal(422, 'invalid_options', `limit is a number from 1 to ${most}`);
  const after = url.searchParams.get('after') ?? undefined;
  const { runs, next } = await waitingIn(store, { limit, after });
  const now = clock.now();
  const more = after === undefined ? ((await others?.()) ?? []) : [];
  const requests = await Promise.all([
    ...more.map(async (run) => [run, listedRequests(run, now)] as const),
    ...runs.map(async (run) => [run, await waitingRequests(run, { now, elsewhere })] as const),
  ]);
  const listed = requests.sort(([a], [b]) => askedAt(b) - askedAt(a));
  return {
    schemaVersion: 1,
    requests: await withTitles(
      listed.flatMap(([, found]) => found),
      titleOf,
    ),
    ...(next !== undefined && { next }),
  };
}

async function withTitles(
  requests: readonly ListedRequest[],
  titleOf: InboxSettings['titleOf'],
): Promise<readonly ListedRequest[]> {
  if (titleOf === undefined) return requests;
  return Promise.all(
    requests.map(async (request) => {
      const title = await titleOf(request.runId);
      return title === undefined ? request : { ...request, title: redactJson(title) };
    }),
  );
}

function askedAt({ questions }: WaitingRun): number {
  return questions.at(-1)?.at ?? 0;
}

export async function waitingRequests(
  run: WaitingRun,
  { now, elsewhere }: { readonly now: number } & Pick<InboxSettings, 'elsewhere'>,
): Promise<readonly ListedRequest[]> {
  const where = await elsewhere?.(run);
  const requests = listedRequests(run, now);
  return where === undefined
    ? requests
    : requests.map((request) => ({ ...request, elsewhere: redactJson(where) }));
}

export function listedRequests({ pipeline, questions }: WaitingRun, now: number): ListedRequest[] {
  return [...questions].reverse().map(({ request, at }) => {
    const { id, runId, digest, allowed, expiresAt, undecided = [], subject } = request;
    const { responseSchema, approves } = request;
    return {
      id,
      runId,
      digest,
      pipeline: redactJson(pipeline),
      question: redactJson(request.question),
      allowed,
      ...(expiresAt !== undefined && { expiresAt }),
      askedAt: new Date(at).toISOString(),
      expired: isExpired(request, now),
      overrides: isOverride(request),
      ...(approves === true && { approves }),
      ...(subject !== undefined && { subject: redactJson(subject) }),
      ...(responseSchema !== undefined && { responseSchema: redactJson(responseSchema) }),
      gaps: countsOf(request),
      // the names of criteria go back with the answer, unchanged
      undecided: undecided.map(({ criterion, ...words }) => ({
        criterion,
        ...redactJson(words),
      })),
    };
  });
}

function countsOf({ gaps }: HumanRequest): Partial<Record<Severity, number>> {
  const counts: Partial<Record<Severity, number>> = {};
  for (const { severity } of gaps) counts[severity] = (counts[severity] ?? 0) + 1;
  return counts;
}
