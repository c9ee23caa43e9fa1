/**
 * Returns the statements that create the tables of the first schema version. Later versions add
 * migrations and leave these as they are.
 *
 * Run ids are compared by their bytes, as JavaScript compares them. Times of records are
 * milliseconds since 1970, which may be fractions.
 *
 * @param s - The quoted name of the schema.
 */
export function firstTables(s: string): string {
  return `${runTables(s)}${reviewTables(s)}${sharedTables(s)}${indexes(s)}`;
}

/** Runs, their records, and the rows that people query about them. */
function runTables(s: string): string {
  return `
CREATE TABLE ${s}.workers (
  id text PRIMARY KEY, lease_until timestamptz NOT NULL, host text, pid int,
  started_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE TABLE ${s}.runs (
  run_id text COLLATE "C" PRIMARY KEY, pos bigint GENERATED ALWAYS AS IDENTITY,
  status text NOT NULL DEFAULT 'running', code text, pipeline text, task_digest text, task text,
  started_at double precision, ended_at double precision, changed_at double precision,
  suspended_at double precision, due_at timestamptz,
  records int NOT NULL DEFAULT 0, epoch int NOT NULL DEFAULT 1, holder text, token text,
  touched_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  reserved_until timestamptz, claims int NOT NULL DEFAULT 0,
  audit_seq bigint, audit_hash text
) WITH (fillfactor = 80);
CREATE TABLE ${s}.records (
  run_id text COLLATE "C" NOT NULL, n int NOT NULL, epoch int NOT NULL, type text NOT NULL,
  body text NOT NULL, sum text NOT NULL, at double precision NOT NULL,
  written_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (run_id, n)
);
CREATE TABLE ${s}.steps (
  run_id text COLLATE "C" NOT NULL, n int NOT NULL, name text NOT NULL, iteration int,
  reviewer text, failed int NOT NULL, code text, message text,
  input_tokens double precision, output_tokens double precision,
  cached_input_tokens double precision, total_tokens double precision, cost_usd double precision,
  workspace text, at double precision NOT NULL,
  PRIMARY KEY (run_id, n)
);
CREATE TABLE ${s}.questions (
  run_id text COLLATE "C" NOT NULL, id text NOT NULL, version text NOT NULL,
  question text NOT NULL, allowed text NOT NULL, approved int, gaps int NOT NULL,
  asked_at double precision NOT NULL, expires_at text,
  PRIMARY KEY (run_id, id)
);
CREATE TABLE ${s}.answers (
  run_id text COLLATE "C" NOT NULL, n int NOT NULL, id text NOT NULL, version text NOT NULL,
  kind text NOT NULL, who text NOT NULL, reason text, at double precision NOT NULL,
  PRIMARY KEY (run_id, n)
);
`;
}

/** Reviews with their assessments and gaps, for people. */
function reviewTables(s: string): string {
  return `
CREATE TABLE ${s}.reviews (
  run_id text COLLATE "C" NOT NULL, iteration int NOT NULL, version text NOT NULL, parent text,
  complete int NOT NULL, quality double precision, completeness double precision,
  correctness double precision, overall double precision,
  judged int NOT NULL, total int NOT NULL,
  decision text NOT NULL, code text, reason text NOT NULL, reused int NOT NULL,
  input_tokens double precision, output_tokens double precision, total_tokens double precision,
  cost_usd double precision, duration_ms double precision NOT NULL, at text NOT NULL,
  PRIMARY KEY (run_id, iteration)
);
CREATE TABLE ${s}.assessments (
  run_id text COLLATE "C" NOT NULL, iteration int NOT NULL, n int NOT NULL,
  criterion text NOT NULL, verdict text NOT NULL, score double precision, explanation text,
  code text, gaps int NOT NULL,
  PRIMARY KEY (run_id, iteration, n)
);
CREATE TABLE ${s}.gaps (
  run_id text COLLATE "C" NOT NULL, iteration int NOT NULL, n int NOT NULL, id text NOT NULL,
  severity text NOT NULL, category text NOT NULL, description text NOT NULL,
  suggested_fix text NOT NULL, effort text NOT NULL, auto_fixable int NOT NULL,
  requirement text, criterion text, raised_by text,
  file text, line int, end_line int, evidence text, lifecycle text, standing text,
  fixed int NOT NULL,
  PRIMARY KEY (run_id, iteration, n)
);
`;
}

/** What outlives a run, and what processes share. */
function sharedTables(s: string): string {
  return `
CREATE TABLE ${s}.verdicts (
  key text PRIMARY KEY, reviewer text NOT NULL, version text NOT NULL, passed int NOT NULL,
  assessments int NOT NULL, total_tokens double precision, cost_usd double precision,
  at double precision NOT NULL, head text NOT NULL, body text NOT NULL
);
CREATE TABLE ${s}.lessons (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, at text NOT NULL, run text NOT NULL,
  key text NOT NULL, agent text NOT NULL, title text NOT NULL, summary text NOT NULL,
  line text NOT NULL
);
CREATE TABLE ${s}.audit (
  seq bigint PRIMARY KEY, at text NOT NULL, kind text NOT NULL, who text NOT NULL, run_id text,
  version text, request text, verdict text, decision text, reason text, line text NOT NULL,
  token text NOT NULL
);
CREATE TABLE ${s}.attempts (
  task_id text NOT NULL, attempt int NOT NULL, run_id text, run_attempt int, status text,
  error text, error_code text, review_status text, review_findings text, review_issues int,
  machine_verdict text, human_decision text, human_by text, human_reason text,
  review_duration_ms double precision, input_tokens double precision,
  output_tokens double precision, cached_input_tokens double precision,
  total_tokens double precision, cost_usd double precision, at double precision,
  PRIMARY KEY (task_id, attempt), UNIQUE (task_id, run_id, run_attempt)
);
CREATE TABLE ${s}.checklists (
  scope text NOT NULL, phase text NOT NULL, revision bigint NOT NULL, body text NOT NULL,
  changed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (scope, phase)
);
CREATE TABLE ${s}.reports (
  run_id text COLLATE "C" NOT NULL, name text NOT NULL, body text NOT NULL,
  written_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (run_id, name)
);
CREATE TABLE ${s}.limits (
  key text PRIMARY KEY, requests_at timestamptz, tokens_at timestamptz, blocked_until timestamptz
) WITH (fillfactor = 50);
CREATE TABLE ${s}.spending (
  key text NOT NULL, day date NOT NULL, usd double precision NOT NULL DEFAULT 0,
  reserved_usd double precision NOT NULL DEFAULT 0, calls bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (key, day)
) WITH (fillfactor = 50);
CREATE TABLE ${s}.reservations (
  id text PRIMARY KEY, key text NOT NULL, day date NOT NULL, usd double precision NOT NULL,
  holder text NOT NULL, made_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE TABLE ${s}.slots (
  key text NOT NULL, n int NOT NULL, holder text NOT NULL, token text,
  taken_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (key, n)
);
`;
}

/** A column that each append changes has no index, so that the update stays on its page. */
function indexes(s: string): string {
  return `
CREATE UNIQUE INDEX runs_by_pos ON ${s}.runs (pos);
CREATE INDEX runs_by_status ON ${s}.runs (status, pos);
CREATE INDEX runs_by_pipeline ON ${s}.runs (pipeline, pos);
CREATE INDEX runs_suspended ON ${s}.runs (suspended_at, run_id) WHERE suspended_at IS NOT NULL;
CREATE INDEX runs_due ON ${s}.runs (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX runs_held ON ${s}.runs (holder) WHERE holder IS NOT NULL;
CREATE INDEX records_of_people ON ${s}.records (run_id, n)
  WHERE type IN ('request', 'answer', 'end');
CREATE INDEX gaps_by_id ON ${s}.gaps (id);
CREATE INDEX gaps_by_criterion ON ${s}.gaps (criterion);
CREATE INDEX verdicts_by_time ON ${s}.verdicts (at);
CREATE INDEX answers_by_person ON ${s}.answers (who);
CREATE INDEX audit_by_run ON ${s}.audit (run_id);
CREATE INDEX reservations_by_key ON ${s}.reservations (key, day);
CREATE INDEX slots_by_holder ON ${s}.slots (holder);
`;
}
