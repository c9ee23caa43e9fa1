/**
 * Returns the statement that appends to any number of runs, and returns the tokens of those that it
 * wrote. It locks the runs in the order of their ids. It writes a run whose token is the given one,
 * and that has the records which the writer knows. A second time it changes nothing.
 *
 * @param s - The quoted name of the schema.
 */
export function appendStatement(s: string): string {
  const rows = (table: string, value: number): string =>
    `SELECT t.* FROM json_populate_recordset(NULL::${s}.${table}, $${value}::text::json) t
     WHERE t.run_id IN (SELECT run_id FROM written)`;
  return `
WITH given AS MATERIALIZED (
  SELECT * FROM json_to_recordset($1::text::json) AS t(
    run_id text, token text, base int, upto int, release boolean, status text, code text,
    pipeline text, task_digest text, task text, started_at float8, ended_at float8,
    changed_at float8, suspended_at float8, due_at float8
  )
), held AS MATERIALIZED (
  SELECT r.run_id FROM ${s}.runs r JOIN given g ON g.run_id = r.run_id AND g.token = r.token
  WHERE r.records IN (g.base, g.upto) ORDER BY r.run_id FOR UPDATE OF r
), written AS (
  UPDATE ${s}.runs r SET
    records = greatest(r.records, g.upto),
    pipeline = coalesce(g.pipeline, r.pipeline),
    task_digest = coalesce(g.task_digest, r.task_digest),
    task = coalesce(g.task, r.task),
    started_at = coalesce(g.started_at, r.started_at),
    changed_at = coalesce(g.changed_at, r.changed_at),
    status = coalesce(g.status, r.status),
    code = CASE WHEN g.status IS NULL THEN r.code ELSE g.code END,
    ended_at = CASE WHEN g.status IS NULL THEN r.ended_at ELSE g.ended_at END,
    suspended_at = CASE WHEN g.status IS NULL THEN r.suspended_at ELSE g.suspended_at END,
    due_at = CASE WHEN g.status IS NULL THEN r.due_at ELSE to_timestamp(g.due_at / 1000) END,
    touched_at = clock_timestamp(), claims = 0,
    reserved_until = CASE WHEN g.release THEN NULL ELSE r.reserved_until END,
    holder = CASE WHEN g.release THEN NULL ELSE r.holder END
  FROM given g JOIN held h ON h.run_id = g.run_id WHERE r.run_id = g.run_id
  RETURNING r.run_id, r.token
), inserted AS (
  INSERT INTO ${s}.records (run_id, n, epoch, type, body, sum, at)
  SELECT t.run_id, t.n, t.epoch, t.type, t.body, t.sum, t.at
  FROM json_to_recordset($2::text::json) AS t(
    run_id text, n int, epoch int, type text, body text, sum text, at float8
  ) WHERE t.run_id IN (SELECT run_id FROM written)
  ON CONFLICT (run_id, n) DO NOTHING
), stepped AS (
  INSERT INTO ${s}.steps ${rows('steps', 3)} ON CONFLICT (run_id, n) DO NOTHING
), asked AS (
  INSERT INTO ${s}.questions ${rows('questions', 4)}
  ON CONFLICT (run_id, id) DO UPDATE SET version = excluded.version,
    question = excluded.question, allowed = excluded.allowed, approved = excluded.approved,
    gaps = excluded.gaps, asked_at = excluded.asked_at, expires_at = excluded.expires_at
), answered AS (
  INSERT INTO ${s}.answers ${rows('answers', 5)} ON CONFLICT (run_id, n) DO NOTHING
)
SELECT token FROM written`;
}
