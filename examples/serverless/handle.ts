// One HTTP call is one wake-up: it starts, answers or continues a run, drives it as far as it gets, and returns.
// A platform with a function URL, a queue and a cron calls it:
//   POST /start   { "runId": "tea-1", "task": "tea" }
//   POST /answer  { "request": { "runId", "id", "digest" }, "answer": { "kind": "approve", "by": "Ann" } }
//   POST /wake    { "runId": "tea-1" }      after `again`, and when a question expires
//   POST /sweep                             each minute, for calls that broke off
import { isReviewError } from 'reviewloop';
import {
  createRun,
  type Driven,
  driveRun,
  lostRuns,
  pauseBefore,
  recordAnswer,
} from 'reviewloop/engines';
import { HumanAnswerSchema } from 'reviewloop/schemas';
import * as z from 'zod';
import { pipelines, store } from './article.js';

/** The platform ends a call after 30 s; 5 s before, the run is let go. */
const timeLimitMs = 25_000;

const Run = z.object({ runId: z.string() });
const Start = Run.extend({ task: z.string() });
const Answer = z.object({
  request: z.object({ runId: z.string(), id: z.string(), digest: z.string() }),
  answer: HumanAnswerSchema,
});

/** Handles one call. Nothing is kept in memory between two calls. */
export async function handle(request: Request): Promise<Response> {
  const release = AbortSignal.timeout(timeLimitMs);
  const driveOnce = driveRun({ store, pipelines, release });
  // another call may have the run open for a moment
  const drive = async (runId: string): Promise<Driven> => {
    for (let attempt = 0; ; attempt += 1) {
      const driven = await driveOnce(runId);
      if (driven.state !== 'again' || release.aborted) return driven;
      await new Promise((resolve) => setTimeout(resolve, pauseBefore(attempt)));
    }
  };
  const routes: Readonly<Record<string, (body: unknown) => Promise<unknown>>> = {
    '/start': async (body) => {
      const { runId, task } = Start.parse(body);
      await createRun(store, { pipeline: 'article', runId, task });
      return drive(runId);
    },
    '/answer': async (body) => {
      const { request: asked, answer } = Answer.parse(body);
      await recordAnswer(store, asked, answer);
      return drive(asked.runId);
    },
    '/wake': (body) => drive(Run.parse(body).runId),
    '/sweep': async () => {
      const lost = await lostRuns(store, { olderThanMs: 60_000, now: Date.now() });
      return Promise.all(lost.map(({ runId }) => drive(runId)));
    },
  };
  try {
    const route = routes[new URL(request.url).pathname];
    if (route === undefined) return Response.json({ code: 'not_found' }, { status: 404 });
    return Response.json(await route(await request.json()));
  } catch (error) {
    if (!isReviewError(error)) return Response.json({ message: String(error) }, { status: 400 });
    return Response.json({ code: error.code, message: error.message }, { status: 409 });
  } finally {
    await store.close();
  }
}
