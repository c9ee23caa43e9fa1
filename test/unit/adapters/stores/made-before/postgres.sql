CREATE SCHEMA before;
CREATE TABLE before.answers (
    run_id text NOT NULL COLLATE pg_catalog."C",
    n integer NOT NULL,
    id text NOT NULL,
    version text NOT NULL,
    kind text NOT NULL,
    who text NOT NULL,
    reason text,
    at double precision NOT NULL
);
CREATE TABLE before.assessments (
    run_id text NOT NULL COLLATE pg_catalog."C",
    iteration integer NOT NULL,
    n integer NOT NULL,
    criterion text NOT NULL,
    verdict text NOT NULL,
    score double precision,
    explanation text,
    code text,
    gaps integer NOT NULL
);
CREATE TABLE before.attempts (
    task_id text NOT NULL,
    attempt integer NOT NULL,
    run_id text,
    run_attempt integer,
    status text,
    error text,
    error_code text,
    review_status text,
    review_findings text,
    review_issues integer,
    machine_verdict text,
    human_decision text,
    human_by text,
    human_reason text,
    review_duration_ms double precision,
    input_tokens double precision,
    output_tokens double precision,
    cached_input_tokens double precision,
    total_tokens double precision,
    cost_usd double precision,
    at double precision
);
CREATE TABLE before.audit (
    seq bigint NOT NULL,
    at text NOT NULL,
    kind text NOT NULL,
    who text NOT NULL,
    run_id text,
    version text,
    request text,
    verdict text,
    decision text,
    reason text,
    line text NOT NULL,
    token text NOT NULL
);
CREATE TABLE before.checklists (
    scope text NOT NULL,
    phase text NOT NULL,
    revision bigint NOT NULL,
    body text NOT NULL,
    changed_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
CREATE TABLE before.gaps (
    run_id text NOT NULL COLLATE pg_catalog."C",
    iteration integer NOT NULL,
    n integer NOT NULL,
    id text NOT NULL,
    severity text NOT NULL,
    category text NOT NULL,
    description text NOT NULL,
    suggested_fix text NOT NULL,
    effort text NOT NULL,
    auto_fixable integer NOT NULL,
    requirement text,
    criterion text,
    raised_by text,
    file text,
    line integer,
    end_line integer,
    evidence text,
    lifecycle text,
    standing text,
    fixed integer NOT NULL
);
CREATE TABLE before.lessons (
    id bigint NOT NULL,
    at text NOT NULL,
    run text NOT NULL,
    key text NOT NULL,
    agent text NOT NULL,
    title text NOT NULL,
    summary text NOT NULL,
    line text NOT NULL
);
ALTER TABLE before.lessons ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME before.lessons_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE before.limits (
    key text NOT NULL,
    requests_at timestamp with time zone,
    tokens_at timestamp with time zone,
    blocked_until timestamp with time zone
)
WITH (fillfactor='50');
CREATE TABLE before.questions (
    run_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL,
    version text NOT NULL,
    question text NOT NULL,
    allowed text NOT NULL,
    approved integer,
    gaps integer NOT NULL,
    asked_at double precision NOT NULL,
    expires_at text
);
CREATE TABLE before.records (
    run_id text NOT NULL COLLATE pg_catalog."C",
    n integer NOT NULL,
    epoch integer NOT NULL,
    type text NOT NULL,
    body text NOT NULL,
    sum text NOT NULL,
    at double precision NOT NULL,
    written_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
CREATE TABLE before.reports (
    run_id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    body text NOT NULL,
    written_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
CREATE TABLE before.reservations (
    id text NOT NULL,
    key text NOT NULL,
    day date NOT NULL,
    usd double precision NOT NULL,
    holder text NOT NULL,
    made_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
CREATE TABLE before.reviewloop_version (
    version integer NOT NULL
);
CREATE TABLE before.reviews (
    run_id text NOT NULL COLLATE pg_catalog."C",
    iteration integer NOT NULL,
    version text NOT NULL,
    parent text,
    complete integer NOT NULL,
    quality double precision,
    completeness double precision,
    correctness double precision,
    overall double precision,
    judged integer NOT NULL,
    total integer NOT NULL,
    decision text NOT NULL,
    code text,
    reason text NOT NULL,
    reused integer NOT NULL,
    input_tokens double precision,
    output_tokens double precision,
    total_tokens double precision,
    cost_usd double precision,
    duration_ms double precision NOT NULL,
    at text NOT NULL
);
CREATE TABLE before.runs (
    run_id text NOT NULL COLLATE pg_catalog."C",
    pos bigint NOT NULL,
    status text DEFAULT 'running'::text NOT NULL,
    code text,
    pipeline text,
    task_digest text,
    task text,
    started_at double precision,
    ended_at double precision,
    changed_at double precision,
    suspended_at double precision,
    due_at timestamp with time zone,
    records integer DEFAULT 0 NOT NULL,
    epoch integer DEFAULT 1 NOT NULL,
    holder text,
    token text,
    touched_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    reserved_until timestamp with time zone,
    claims integer DEFAULT 0 NOT NULL,
    audit_seq bigint,
    audit_hash text
)
WITH (fillfactor='80');
ALTER TABLE before.runs ALTER COLUMN pos ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME before.runs_pos_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE before.slots (
    key text NOT NULL,
    n integer NOT NULL,
    holder text NOT NULL,
    token text,
    taken_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
CREATE TABLE before.spending (
    key text NOT NULL,
    day date NOT NULL,
    usd double precision DEFAULT 0 NOT NULL,
    reserved_usd double precision DEFAULT 0 NOT NULL,
    calls bigint DEFAULT 0 NOT NULL,
    unknown_calls bigint DEFAULT 0 NOT NULL
)
WITH (fillfactor='50');
CREATE TABLE before.steps (
    run_id text NOT NULL COLLATE pg_catalog."C",
    n integer NOT NULL,
    name text NOT NULL,
    iteration integer,
    reviewer text,
    failed integer NOT NULL,
    code text,
    message text,
    input_tokens double precision,
    output_tokens double precision,
    cached_input_tokens double precision,
    total_tokens double precision,
    cost_usd double precision,
    workspace text,
    at double precision NOT NULL
);
CREATE TABLE before.verdicts (
    key text NOT NULL,
    reviewer text NOT NULL,
    version text NOT NULL,
    passed integer NOT NULL,
    assessments integer NOT NULL,
    total_tokens double precision,
    cost_usd double precision,
    at double precision NOT NULL,
    head text NOT NULL,
    body text NOT NULL
);
CREATE TABLE before.workers (
    id text NOT NULL,
    lease_until timestamp with time zone NOT NULL,
    host text,
    pid integer,
    started_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
INSERT INTO before.answers VALUES ('answered', 6, '1f482c7316741823', 'b800a45534461f380d278d1fce6e2367e9d3b761c71a334098a3d099a93cd44b', 'override', 'ann', 'the client likes it loud', 1795959501592);
INSERT INTO before.answers VALUES ('overridden', 5, 'faeb3fec40ce99da', 'b800a45534461f380d278d1fce6e2367e9d3b761c71a334098a3d099a93cd44b', 'override', 'bob', 'good enough', 1795959501690);
INSERT INTO before.assessments VALUES ('mended', 1, 0, 'tone', 'fail', 0, 'too loud', NULL, 1);
INSERT INTO before.assessments VALUES ('mended', 2, 0, 'tone', 'pass', 1, '', NULL, 0);
INSERT INTO before.assessments VALUES ('answered', 1, 0, 'tone', 'fail', 0, 'too loud', NULL, 1);
INSERT INTO before.assessments VALUES ('waiting', 1, 0, 'tone', 'fail', 0, 'too loud', NULL, 1);
INSERT INTO before.assessments VALUES ('overridden', 1, 0, 'tone', 'fail', 0, 'too loud', NULL, 1);
INSERT INTO before.assessments VALUES ('inconclusive', 1, 0, 'broken', 'errored', NULL, 'broken threw: the judge is out. Read the cause: the reviewer threw instead of returning assessments.', 'reviewer_threw', 0);
INSERT INTO before.attempts VALUES ('TASK-001', 1, 'r1', 1, 'failed', 'tests failed', NULL, NULL, NULL, NULL, 'not_run', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1767225600000);
INSERT INTO before.attempts VALUES ('TASK-001', 2, 'mended', 1, 'success', NULL, NULL, 'passed', NULL, NULL, 'passed', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1767225600000);
INSERT INTO before.attempts VALUES ('TASK-002', 1, 'r1', 1, 'success', NULL, NULL, 'passed', NULL, 2, 'failed', 'approve', 'ann', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1767225600000);
INSERT INTO before.audit VALUES (1, '2026-11-29T13:38:21.593Z', 'override', 'ann', 'answered', 'b800a45534461f380d278d1fce6e2367e9d3b761c71a334098a3d099a93cd44b', '1f482c7316741823', 'not approved', 'override', 'the client likes it loud', '{"at":"2026-11-29T13:38:21.593Z","decision":"override","hash":"ae496d351d90518f8f6e85676d525593cba6ffe5bf53fde6c7984bf5c669edbf","kind":"override","previous":"0000000000000000000000000000000000000000000000000000000000000000","reason":"the client likes it loud","request":"1f482c7316741823","runId":"answered","schema":1,"seq":1,"verdict":"not approved","version":"b800a45534461f380d278d1fce6e2367e9d3b761c71a334098a3d099a93cd44b","who":"ann"}', '9093671865233592406b065eccff8962');
INSERT INTO before.audit VALUES (2, '2026-11-29T13:38:21.688Z', 'override', 'bob', 'overridden', 'b800a45534461f380d278d1fce6e2367e9d3b761c71a334098a3d099a93cd44b', NULL, 'exhausted (iterations)', 'override', 'good enough', '{"at":"2026-11-29T13:38:21.688Z","decision":"override","hash":"84634ca63e8e90769ecfdaf65293d4eadc5603466c474fc1121494c12f93753f","kind":"override","previous":"ae496d351d90518f8f6e85676d525593cba6ffe5bf53fde6c7984bf5c669edbf","reason":"good enough","runId":"overridden","schema":1,"seq":2,"verdict":"exhausted (iterations)","version":"b800a45534461f380d278d1fce6e2367e9d3b761c71a334098a3d099a93cd44b","who":"bob"}', '1995f07c53aa42c84a1402cd913b0856');
INSERT INTO before.gaps VALUES ('mended', 1, 0, 'gap-b94a1167b2aec06e', 'major', 'quality', 'too loud', 'mend it', 'small', 1, NULL, 'tone', 'judge', 'a.md', 3, NULL, 'loud', 'new', NULL, 0);
INSERT INTO before.gaps VALUES ('mended', 2, 0, 'gap-b94a1167b2aec06e', 'major', 'quality', 'too loud', 'mend it', 'small', 1, NULL, 'tone', 'judge', 'a.md', 3, NULL, 'loud', 'fixed', NULL, 1);
INSERT INTO before.gaps VALUES ('answered', 1, 0, 'gap-b94a1167b2aec06e', 'major', 'quality', 'too loud', 'mend it', 'small', 1, NULL, 'tone', 'judge', 'a.md', 3, NULL, 'loud', 'new', NULL, 0);
INSERT INTO before.gaps VALUES ('waiting', 1, 0, 'gap-b94a1167b2aec06e', 'major', 'quality', 'too loud', 'mend it', 'small', 1, NULL, 'tone', 'judge', 'a.md', 3, NULL, 'loud', 'new', NULL, 0);
INSERT INTO before.gaps VALUES ('overridden', 1, 0, 'gap-b94a1167b2aec06e', 'major', 'quality', 'too loud', 'mend it', 'small', 1, NULL, 'tone', 'judge', 'a.md', 3, NULL, 'loud', 'new', NULL, 0);
INSERT INTO before.lessons OVERRIDING SYSTEM VALUE VALUES (1, '2026-11-29T13:38:21.543Z', '2481edd3b03fb258', 'd792225be6372983', 'mending', 'mending self-review pattern: quality', 'Agent mending improved from 60% to 100% quality over 2 iterations. Common gaps: quality (1x).', '{"v":1,"at":"2026-11-29T13:38:21.543Z","run":"2481edd3b03fb258","key":"d792225be6372983","words":["tea"],"lesson":{"category":"pattern","title":"mending self-review pattern: quality","summary":"Agent mending improved from 60% to 100% quality over 2 iterations. Common gaps: quality (1x).","details":"{\"agentId\":\"mending\",\"taskType\":\"general\",\"iterations\":2,\"initialScore\":0.6,\"finalScore\":1,\"gapPatterns\":[{\"category\":\"quality\",\"severity\":\"major\",\"frequency\":1,\"examples\":[\"too loud\"]}],\"successfulFixes\":[\"Fixed quality: too loud via mend it\"]}","tags":["agent:mending","self-review","gap:quality"],"sourceAgent":"mending","confidence":0.9},"sum":"7856c1dd67ea11b5"}');
INSERT INTO before.questions VALUES ('answered', '1f482c7316741823', 'b800a45534461f380d278d1fce6e2367e9d3b761c71a334098a3d099a93cd44b', 'ship it?', 'approve reject override', 0, 1, 1795959501585, NULL);
INSERT INTO before.questions VALUES ('waiting', 'acd776af3661fd17', 'b800a45534461f380d278d1fce6e2367e9d3b761c71a334098a3d099a93cd44b', 'ship it?', 'approve reject override', 0, 1, 1795959501641, NULL);
INSERT INTO before.records VALUES ('mended', 0, 1, 'run', '{"type":"run","schema":1,"runId":"mended","pipeline":"mending","taskDigest":"3bc0d31a4f14f996d0648eb824227f6ea58f10558371932bda617dbbecf12092","task":"tea","nonce":"f7cfbdaf43107425d9aeb4f0c331fa4a","parts":{"version":"","settings":"37e3f98a378bb84e","reviewer judge":"1 (model)"},"at":1795959501511}', 'baa1418e2772c077', 1795959501511, '2026-11-29 13:38:21.514115+00');
INSERT INTO before.records VALUES ('mended', 1, 1, 'step', '{"type":"step","name":"lessons","input":"3bc0d31a4f14f996d0648eb824227f6ea58f10558371932bda617dbbecf12092","value":"","at":1795959501517}', '2da2e342b90a9fc1', 1795959501517, '2026-11-29 13:38:21.51899+00');
INSERT INTO before.records VALUES ('mended', 2, 1, 'step', '{"type":"step","name":"produce","input":"3bc0d31a4f14f996d0648eb824227f6ea58f10558371932bda617dbbecf12092","value":"tea loud","at":1795959501524}', '5ea0dc0d3efd82ab', 1795959501524, '2026-11-29 13:38:21.525458+00');
INSERT INTO before.records VALUES ('mended', 3, 1, 'step', '{"type":"step","name":"iter:1/review:judge/ask","input":"b800a45534461f380d278d1fce6e2367e9d3b761c71a334098a3d099a93cd44b","value":false,"usage":{"inputTokens":100,"outputTokens":10,"costUsd":0.01,"totalTokens":110},"at":1795959501527}', '62891974f376978b', 1795959501527, '2026-11-29 13:38:21.531858+00');
INSERT INTO before.records VALUES ('mended', 4, 1, 'step', '{"type":"step","name":"iter:1/address","input":"759b0650672b4d8674e7cdba20d1c93f911310ded6a2322136767b98811f3678","value":"tea","at":1795959501537}', '0ecd6fd4c70fb592', 1795959501537, '2026-11-29 13:38:21.540147+00');
INSERT INTO before.records VALUES ('mended', 5, 1, 'step', '{"type":"step","name":"iter:2/review:judge/ask","input":"3bc0d31a4f14f996d0648eb824227f6ea58f10558371932bda617dbbecf12092","value":true,"usage":{"inputTokens":100,"outputTokens":10,"costUsd":0.01,"totalTokens":110},"at":1795959501544}', '809b61eeb635bc0e', 1795959501544, '2026-11-29 13:38:21.545905+00');
INSERT INTO before.records VALUES ('mended', 6, 1, 'end', '{"type":"end","status":"approved","code":"approved","at":1795959501553}', '66ee934f7ce5fb54', 1795959501553, '2026-11-29 13:38:21.554261+00');
INSERT INTO before.records VALUES ('answered', 0, 1, 'run', '{"type":"run","schema":1,"runId":"answered","pipeline":"asking","taskDigest":"3bc0d31a4f14f996d0648eb824227f6ea58f10558371932bda617dbbecf12092","task":"tea","nonce":"0c355fdeade62b90e104d4bd75b49820","parts":{"version":"","settings":"37e3f98a378bb84e","reviewer judge":"1 (model)"},"at":1795959501567}', 'e013790cc4885cfb', 1795959501567, '2026-11-29 13:38:21.568858+00');
INSERT INTO before.records VALUES ('answered', 1, 1, 'step', '{"type":"step","name":"lessons","input":"3bc0d31a4f14f996d0648eb824227f6ea58f10558371932bda617dbbecf12092","value":"- mending self-review pattern: quality: Agent mending improved from 60% to 100% quality over 2 iterations. Common gaps: quality (1x).\n  Seen: major quality: too loud\n  Helped: Fixed quality: too loud via mend it","at":1795959501572}', 'aea3525d55d72b62', 1795959501572, '2026-11-29 13:38:21.573955+00');
INSERT INTO before.records VALUES ('answered', 2, 1, 'step', '{"type":"step","name":"produce","input":"3bc0d31a4f14f996d0648eb824227f6ea58f10558371932bda617dbbecf12092","value":"tea loud","at":1795959501579}', 'd0d546622c20d01b', 1795959501579, '2026-11-29 13:38:21.580793+00');
INSERT INTO before.records VALUES ('answered', 3, 1, 'step', '{"type":"step","name":"iter:1/review:judge/ask","input":"b800a45534461f380d278d1fce6e2367e9d3b761c71a334098a3d099a93cd44b","value":false,"usage":{"inputTokens":100,"outputTokens":10,"costUsd":0.01,"totalTokens":110},"at":1795959501581}', 'a48b3e1ba016e04c', 1795959501581, '2026-11-29 13:38:21.582558+00');
INSERT INTO before.records VALUES ('answered', 4, 1, 'request', '{"type":"request","request":{"id":"1f482c7316741823","runId":"answered","digest":"b800a45534461f380d278d1fce6e2367e9d3b761c71a334098a3d099a93cd44b","from":"policy","question":"ship it?","gaps":[{"id":"gap-b94a1167b2aec06e","severity":"major","category":"quality","description":"too loud","suggestedFix":"mend it","estimatedEffort":"small","autoFixable":true,"location":{"file":"a.md","line":3},"evidence":"loud","criterionId":"tone","raisedBy":"judge","lifecycle":"new"}],"allowed":["approve","reject","override"],"approved":false},"at":1795959501585}', '64941468a50a693d', 1795959501585, '2026-11-29 13:38:21.586429+00');
INSERT INTO before.records VALUES ('answered', 5, 1, 'end', '{"type":"end","status":"suspended","code":"waiting","waits":["1f482c7316741823"],"at":1795959501586}', 'cb93c6a37e70b43d', 1795959501586, '2026-11-29 13:38:21.588446+00');
INSERT INTO before.records VALUES ('answered', 6, 2, 'answer', '{"type":"answer","id":"1f482c7316741823","digest":"b800a45534461f380d278d1fce6e2367e9d3b761c71a334098a3d099a93cd44b","answer":{"kind":"override","by":"ann","reason":"the client likes it loud"},"at":1795959501592}', '03c4f26112bd45f0', 1795959501592, '2026-11-29 13:38:21.616635+00');
INSERT INTO before.records VALUES ('answered', 7, 2, 'end', '{"type":"end","status":"accepted","code":"person_overrode","at":1795959501623}', 'a51b8952730a8942', 1795959501623, '2026-11-29 13:38:21.624834+00');
INSERT INTO before.records VALUES ('waiting', 0, 1, 'run', '{"type":"run","schema":1,"runId":"waiting","pipeline":"asking","taskDigest":"3bc0d31a4f14f996d0648eb824227f6ea58f10558371932bda617dbbecf12092","task":"tea","nonce":"11a70ae74bae6ae2306a25dc6d461cfa","parts":{"version":"","settings":"37e3f98a378bb84e","reviewer judge":"1 (model)"},"at":1795959501626}', '16166c9536f4d28b', 1795959501626, '2026-11-29 13:38:21.628488+00');
INSERT INTO before.records VALUES ('waiting', 1, 1, 'step', '{"type":"step","name":"lessons","input":"3bc0d31a4f14f996d0648eb824227f6ea58f10558371932bda617dbbecf12092","value":"- mending self-review pattern: quality: Agent mending improved from 60% to 100% quality over 2 iterations. Common gaps: quality (1x).\n  Seen: major quality: too loud\n  Helped: Fixed quality: too loud via mend it","at":1795959501632}', '8030e0c57f1526a1', 1795959501632, '2026-11-29 13:38:21.633476+00');
INSERT INTO before.records VALUES ('waiting', 2, 1, 'step', '{"type":"step","name":"produce","input":"3bc0d31a4f14f996d0648eb824227f6ea58f10558371932bda617dbbecf12092","value":"tea loud","at":1795959501635}', 'b4950929cc95070e', 1795959501635, '2026-11-29 13:38:21.636683+00');
INSERT INTO before.records VALUES ('waiting', 3, 1, 'step', '{"type":"step","name":"iter:1/review:judge/ask","input":"b800a45534461f380d278d1fce6e2367e9d3b761c71a334098a3d099a93cd44b","value":false,"usage":{"inputTokens":100,"outputTokens":10,"costUsd":0.01,"totalTokens":110},"at":1795959501638}', '3aaae15ada3a2c36', 1795959501638, '2026-11-29 13:38:21.639574+00');
INSERT INTO before.records VALUES ('waiting', 4, 1, 'request', '{"type":"request","request":{"id":"acd776af3661fd17","runId":"waiting","digest":"b800a45534461f380d278d1fce6e2367e9d3b761c71a334098a3d099a93cd44b","from":"policy","question":"ship it?","gaps":[{"id":"gap-b94a1167b2aec06e","severity":"major","category":"quality","description":"too loud","suggestedFix":"mend it","estimatedEffort":"small","autoFixable":true,"location":{"file":"a.md","line":3},"evidence":"loud","criterionId":"tone","raisedBy":"judge","lifecycle":"new"}],"allowed":["approve","reject","override"],"approved":false},"at":1795959501641}', 'f8fc5b165be70a8c', 1795959501641, '2026-11-29 13:38:21.64412+00');
INSERT INTO before.records VALUES ('waiting', 5, 1, 'end', '{"type":"end","status":"suspended","code":"waiting","waits":["acd776af3661fd17"],"at":1795959501645}', '383a1ee6ee063900', 1795959501645, '2026-11-29 13:38:21.645955+00');
INSERT INTO before.records VALUES ('overridden', 0, 1, 'run', '{"type":"run","schema":1,"runId":"overridden","pipeline":"stuck","taskDigest":"3bc0d31a4f14f996d0648eb824227f6ea58f10558371932bda617dbbecf12092","task":"tea","nonce":"2c9a111e83c7a5aebe50796c6f9f8484","parts":{"version":"","settings":"82bdf1b498b45233","reviewer judge":"1 (model)"},"at":1795959501651}', '614b3a69865659bc', 1795959501651, '2026-11-29 13:38:21.652843+00');
INSERT INTO before.records VALUES ('overridden', 1, 1, 'step', '{"type":"step","name":"lessons","input":"3bc0d31a4f14f996d0648eb824227f6ea58f10558371932bda617dbbecf12092","value":"- mending self-review pattern: quality: Agent mending improved from 60% to 100% quality over 2 iterations. Common gaps: quality (1x).\n  Seen: major quality: too loud\n  Helped: Fixed quality: too loud via mend it","at":1795959501654}', '42bb3bd9ca0b4a51', 1795959501654, '2026-11-29 13:38:21.65612+00');
INSERT INTO before.records VALUES ('overridden', 2, 1, 'step', '{"type":"step","name":"produce","input":"3bc0d31a4f14f996d0648eb824227f6ea58f10558371932bda617dbbecf12092","value":"tea loud","at":1795959501662}', 'fa81eca2a1dd8aad', 1795959501662, '2026-11-29 13:38:21.667636+00');
INSERT INTO before.records VALUES ('overridden', 3, 1, 'step', '{"type":"step","name":"iter:1/review:judge/ask","input":"b800a45534461f380d278d1fce6e2367e9d3b761c71a334098a3d099a93cd44b","value":false,"usage":{"inputTokens":100,"outputTokens":10,"costUsd":0.01,"totalTokens":110},"at":1795959501672}', 'ce021471ac5c87a3', 1795959501672, '2026-11-29 13:38:21.673677+00');
INSERT INTO before.records VALUES ('overridden', 4, 1, 'end', '{"type":"end","status":"exhausted","code":"iterations","at":1795959501679}', 'a642fc30b2bbcf0b', 1795959501679, '2026-11-29 13:38:21.680858+00');
INSERT INTO before.records VALUES ('overridden', 5, 2, 'answer', '{"type":"answer","id":"faeb3fec40ce99da","digest":"b800a45534461f380d278d1fce6e2367e9d3b761c71a334098a3d099a93cd44b","answer":{"kind":"override","by":"bob","reason":"good enough"},"at":1795959501690}', '8985dd70ca4dad73', 1795959501690, '2026-11-29 13:38:21.691482+00');
INSERT INTO before.records VALUES ('overridden', 6, 2, 'end', '{"type":"end","status":"accepted","code":"person_overrode","at":1795959501695}', '2790d7a07a824980', 1795959501695, '2026-11-29 13:38:21.696707+00');
INSERT INTO before.records VALUES ('inconclusive', 0, 1, 'run', '{"type":"run","schema":1,"runId":"inconclusive","pipeline":"failing","taskDigest":"3bc0d31a4f14f996d0648eb824227f6ea58f10558371932bda617dbbecf12092","task":"tea","nonce":"c127b8190cf192ae241118e5e7a4435a","parts":{"version":"","settings":"82bdf1b498b45233","reviewer broken":"1 (model)"},"at":1795959501747}', '397830dc09a83e2f', 1795959501747, '2026-11-29 13:38:21.748984+00');
INSERT INTO before.records VALUES ('inconclusive', 1, 1, 'step', '{"type":"step","name":"lessons","input":"3bc0d31a4f14f996d0648eb824227f6ea58f10558371932bda617dbbecf12092","value":"- mending self-review pattern: quality: Agent mending improved from 60% to 100% quality over 2 iterations. Common gaps: quality (1x).\n  Seen: major quality: too loud\n  Helped: Fixed quality: too loud via mend it","at":1795959501751}', 'be44d9b6afdfa707', 1795959501751, '2026-11-29 13:38:21.752798+00');
INSERT INTO before.records VALUES ('inconclusive', 2, 1, 'step', '{"type":"step","name":"produce","input":"3bc0d31a4f14f996d0648eb824227f6ea58f10558371932bda617dbbecf12092","value":"tea loud","at":1795959501755}', '1b50cc28ed0b7b8a', 1795959501755, '2026-11-29 13:38:21.760278+00');
INSERT INTO before.records VALUES ('inconclusive', 3, 1, 'end', '{"type":"end","status":"inconclusive","code":"judge_failed","at":1795959501765}', 'cb7575d9f9a5b0d6', 1795959501765, '2026-11-29 13:38:21.766719+00');
INSERT INTO before.reviewloop_version VALUES (2);
INSERT INTO before.reviews VALUES ('mended', 1, 'b800a45534461f380d278d1fce6e2367e9d3b761c71a334098a3d099a93cd44b', NULL, 1, 0, NULL, NULL, 0.6, 1, 1, 'revise', NULL, '1 critical or major gap, overall score 0.60 is below 0.80', 0, 100, 10, 110, 0.01, 8, '2026-11-29T13:38:21.526Z');
INSERT INTO before.reviews VALUES ('mended', 2, '3bc0d31a4f14f996d0648eb824227f6ea58f10558371932bda617dbbecf12092', 'b800a45534461f380d278d1fce6e2367e9d3b761c71a334098a3d099a93cd44b', 1, 1, NULL, NULL, 1, 1, 1, 'approve', NULL, 'overall score 1.00 reaches 0.80, no critical or major gap is open', 0, 100, 10, 110, 0.01, 8, '2026-11-29T13:38:21.543Z');
INSERT INTO before.reviews VALUES ('answered', 1, 'b800a45534461f380d278d1fce6e2367e9d3b761c71a334098a3d099a93cd44b', NULL, 1, 0, NULL, NULL, 0.6, 1, 1, 'ask', NULL, 'always', 0, 100, 10, 110, 0.01, 2, '2026-11-29T13:38:21.617Z');
INSERT INTO before.reviews VALUES ('waiting', 1, 'b800a45534461f380d278d1fce6e2367e9d3b761c71a334098a3d099a93cd44b', NULL, 1, 0, NULL, NULL, 0.6, 1, 1, 'ask', NULL, 'always', 0, 100, 10, 110, 0.01, 2, '2026-11-29T13:38:21.638Z');
INSERT INTO before.reviews VALUES ('overridden', 1, 'b800a45534461f380d278d1fce6e2367e9d3b761c71a334098a3d099a93cd44b', NULL, 1, 0, NULL, NULL, 0.6, 1, 1, 'revise', NULL, '1 critical or major gap, overall score 0.60 is below 0.80', 0, 100, 10, 110, 0.01, 3, '2026-11-29T13:38:21.685Z');
INSERT INTO before.reviews VALUES ('inconclusive', 1, 'b800a45534461f380d278d1fce6e2367e9d3b761c71a334098a3d099a93cd44b', NULL, 0, NULL, NULL, NULL, NULL, 0, 1, 'stop', 'judge_failed', '1 of 1 judges failed: broken (reviewer_threw): broken threw: the judge is out', 0, NULL, NULL, NULL, NULL, 1, '2026-11-29T13:38:21.763Z');
INSERT INTO before.runs OVERRIDING SYSTEM VALUE VALUES ('waiting', 3, 'suspended', 'waiting', 'asking', '3bc0d31a4f14f996d0648eb824227f6ea58f10558371932bda617dbbecf12092', '"tea"', 1795959501626, 1795959501645, 1795959501645, 1795959501645, NULL, 6, 1, NULL, '0170cfcd-9c3b-4408-ae08-a905fecf63fd', '2026-11-29 13:38:21.645918+00', NULL, 0, NULL, NULL);
INSERT INTO before.runs OVERRIDING SYSTEM VALUE VALUES ('mended', 1, 'approved', 'approved', 'mending', '3bc0d31a4f14f996d0648eb824227f6ea58f10558371932bda617dbbecf12092', '"tea"', 1795959501511, 1795959501553, 1795959501553, NULL, NULL, 7, 1, NULL, '9e8545e4-462f-4373-b1ac-8f0166b35bd2', '2026-11-29 13:38:21.554226+00', NULL, 0, NULL, NULL);
INSERT INTO before.runs OVERRIDING SYSTEM VALUE VALUES ('answered', 2, 'accepted', 'person_overrode', 'asking', '3bc0d31a4f14f996d0648eb824227f6ea58f10558371932bda617dbbecf12092', '"tea"', 1795959501567, 1795959501623, 1795959501623, NULL, NULL, 8, 2, NULL, '111c974e-94ed-4be6-83aa-e1a995f49a3d', '2026-11-29 13:38:21.624792+00', NULL, 0, 1, 'ae496d351d90518f8f6e85676d525593cba6ffe5bf53fde6c7984bf5c669edbf');
INSERT INTO before.runs OVERRIDING SYSTEM VALUE VALUES ('overridden', 4, 'accepted', 'person_overrode', 'stuck', '3bc0d31a4f14f996d0648eb824227f6ea58f10558371932bda617dbbecf12092', '"tea"', 1795959501651, 1795959501695, 1795959501695, NULL, NULL, 7, 2, NULL, 'd7e9d614-ce77-46fa-898d-7e441574c15b', '2026-11-29 13:38:21.696672+00', NULL, 0, 2, '84634ca63e8e90769ecfdaf65293d4eadc5603466c474fc1121494c12f93753f');
INSERT INTO before.runs OVERRIDING SYSTEM VALUE VALUES ('inconclusive', 5, 'inconclusive', 'judge_failed', 'failing', '3bc0d31a4f14f996d0648eb824227f6ea58f10558371932bda617dbbecf12092', '"tea"', 1795959501747, 1795959501765, 1795959501765, NULL, NULL, 4, 1, NULL, 'abd57d9d-196e-419e-8429-2fe764f2b8c6', '2026-11-29 13:38:21.766679+00', NULL, 0, NULL, NULL);
INSERT INTO before.steps VALUES ('mended', 1, 'lessons', NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795959501517);
INSERT INTO before.steps VALUES ('mended', 2, 'produce', NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795959501524);
INSERT INTO before.steps VALUES ('mended', 3, 'iter:1/review:judge/ask', 1, 'judge', 0, NULL, NULL, 100, 10, NULL, 110, 0.01, NULL, 1795959501527);
INSERT INTO before.steps VALUES ('mended', 4, 'iter:1/address', 1, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795959501537);
INSERT INTO before.steps VALUES ('mended', 5, 'iter:2/review:judge/ask', 2, 'judge', 0, NULL, NULL, 100, 10, NULL, 110, 0.01, NULL, 1795959501544);
INSERT INTO before.steps VALUES ('answered', 1, 'lessons', NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795959501572);
INSERT INTO before.steps VALUES ('answered', 2, 'produce', NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795959501579);
INSERT INTO before.steps VALUES ('answered', 3, 'iter:1/review:judge/ask', 1, 'judge', 0, NULL, NULL, 100, 10, NULL, 110, 0.01, NULL, 1795959501581);
INSERT INTO before.steps VALUES ('waiting', 1, 'lessons', NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795959501632);
INSERT INTO before.steps VALUES ('waiting', 2, 'produce', NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795959501635);
INSERT INTO before.steps VALUES ('waiting', 3, 'iter:1/review:judge/ask', 1, 'judge', 0, NULL, NULL, 100, 10, NULL, 110, 0.01, NULL, 1795959501638);
INSERT INTO before.steps VALUES ('overridden', 1, 'lessons', NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795959501654);
INSERT INTO before.steps VALUES ('overridden', 2, 'produce', NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795959501662);
INSERT INTO before.steps VALUES ('overridden', 3, 'iter:1/review:judge/ask', 1, 'judge', 0, NULL, NULL, 100, 10, NULL, 110, 0.01, NULL, 1795959501672);
INSERT INTO before.steps VALUES ('inconclusive', 1, 'lessons', NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795959501751);
INSERT INTO before.steps VALUES ('inconclusive', 2, 'produce', NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795959501755);
INSERT INTO before.verdicts VALUES ('e2d253a9d18af01eb91cad7437d3aa332dedf540f64fd2ac6acf67a18b364820', 'judge', '1', 0, 1, 110, 0.01, 1795959501533, '{"v":1,"key":"e2d253a9d18af01eb91cad7437d3aa332dedf540f64fd2ac6acf67a18b364820","sha256":"b2da27402ab84bdc0a4798080e4d6a64d27d909786e523973e7d9c3beeee63cd"}', '{"schema":1,"about":{"reviewer":"judge","version":"1","task":"3bc0d31a4f14f996d0648eb824227f6ea58f10558371932bda617dbbecf12092","view":"b800a45534461f380d278d1fce6e2367e9d3b761c71a334098a3d099a93cd44b"},"assessments":[{"verdict":"fail","criterion":"tone","score":0,"explanation":"too loud","gaps":[{"id":"","severity":"major","category":"quality","description":"too loud","suggestedFix":"mend it","estimatedEffort":"small","autoFixable":true,"location":{"file":"a.md","line":3},"evidence":"loud"}]}],"usage":{"inputTokens":100,"outputTokens":10,"totalTokens":110,"costUsd":0.01},"at":1795959501533}');
INSERT INTO before.verdicts VALUES ('d8514a5f40708fc8735eaf56d5e7f968ccb60932113bba214bf6cad10eded1fa', 'judge', '1', 1, 1, 110, 0.01, 1795959501546, '{"v":1,"key":"d8514a5f40708fc8735eaf56d5e7f968ccb60932113bba214bf6cad10eded1fa","sha256":"40601a80ceb103d6025cb59220a35748dca3ea338e0240efb62a0db88545f819"}', '{"schema":1,"about":{"reviewer":"judge","version":"1","task":"3bc0d31a4f14f996d0648eb824227f6ea58f10558371932bda617dbbecf12092","view":"3bc0d31a4f14f996d0648eb824227f6ea58f10558371932bda617dbbecf12092","history":"325e8141be5801065a77eb82fe0878dee12cac89f635b8936c434b00882e093b"},"assessments":[{"verdict":"pass","criterion":"tone","score":1,"explanation":"","gaps":[]}],"usage":{"inputTokens":100,"outputTokens":10,"totalTokens":110,"costUsd":0.01},"at":1795959501546}');
SELECT pg_catalog.setval('before.lessons_id_seq', 1, true);
SELECT pg_catalog.setval('before.runs_pos_seq', 5, true);
ALTER TABLE ONLY before.answers
    ADD CONSTRAINT answers_pkey PRIMARY KEY (run_id, n);
ALTER TABLE ONLY before.assessments
    ADD CONSTRAINT assessments_pkey PRIMARY KEY (run_id, iteration, n);
ALTER TABLE ONLY before.attempts
    ADD CONSTRAINT attempts_pkey PRIMARY KEY (task_id, attempt);
ALTER TABLE ONLY before.attempts
    ADD CONSTRAINT attempts_task_id_run_id_run_attempt_key UNIQUE (task_id, run_id, run_attempt);
ALTER TABLE ONLY before.audit
    ADD CONSTRAINT audit_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY before.checklists
    ADD CONSTRAINT checklists_pkey PRIMARY KEY (scope, phase);
ALTER TABLE ONLY before.gaps
    ADD CONSTRAINT gaps_pkey PRIMARY KEY (run_id, iteration, n);
ALTER TABLE ONLY before.lessons
    ADD CONSTRAINT lessons_pkey PRIMARY KEY (id);
ALTER TABLE ONLY before.limits
    ADD CONSTRAINT limits_pkey PRIMARY KEY (key);
ALTER TABLE ONLY before.questions
    ADD CONSTRAINT questions_pkey PRIMARY KEY (run_id, id);
ALTER TABLE ONLY before.records
    ADD CONSTRAINT records_pkey PRIMARY KEY (run_id, n);
ALTER TABLE ONLY before.reports
    ADD CONSTRAINT reports_pkey PRIMARY KEY (run_id, name);
ALTER TABLE ONLY before.reservations
    ADD CONSTRAINT reservations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY before.reviews
    ADD CONSTRAINT reviews_pkey PRIMARY KEY (run_id, iteration);
ALTER TABLE ONLY before.runs
    ADD CONSTRAINT runs_pkey PRIMARY KEY (run_id);
ALTER TABLE ONLY before.slots
    ADD CONSTRAINT slots_pkey PRIMARY KEY (key, n);
ALTER TABLE ONLY before.spending
    ADD CONSTRAINT spending_pkey PRIMARY KEY (key, day);
ALTER TABLE ONLY before.steps
    ADD CONSTRAINT steps_pkey PRIMARY KEY (run_id, n);
ALTER TABLE ONLY before.verdicts
    ADD CONSTRAINT verdicts_pkey PRIMARY KEY (key);
ALTER TABLE ONLY before.workers
    ADD CONSTRAINT workers_pkey PRIMARY KEY (id);
CREATE INDEX answers_by_person ON before.answers USING btree (who);
CREATE INDEX audit_by_run ON before.audit USING btree (run_id);
CREATE INDEX gaps_by_criterion ON before.gaps USING btree (criterion);
CREATE INDEX gaps_by_id ON before.gaps USING btree (id);
CREATE INDEX records_of_people ON before.records USING btree (run_id, n) WHERE (type = ANY (ARRAY['request'::text, 'answer'::text, 'end'::text]));
CREATE INDEX reservations_by_key ON before.reservations USING btree (key, day);
CREATE INDEX runs_by_pipeline ON before.runs USING btree (pipeline, pos);
CREATE UNIQUE INDEX runs_by_pos ON before.runs USING btree (pos);
CREATE INDEX runs_by_status ON before.runs USING btree (status, pos);
CREATE INDEX runs_due ON before.runs USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX runs_held ON before.runs USING btree (holder) WHERE (holder IS NOT NULL);
CREATE INDEX runs_suspended ON before.runs USING btree (suspended_at, run_id) WHERE (suspended_at IS NOT NULL);
CREATE INDEX slots_by_holder ON before.slots USING btree (holder);
CREATE INDEX verdicts_by_time ON before.verdicts USING btree (at);
