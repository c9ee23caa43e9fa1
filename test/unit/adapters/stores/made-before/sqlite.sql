PRAGMA application_id = 1920363632;
PRAGMA user_version = 6;
CREATE TABLE runs (
  run_id TEXT PRIMARY KEY, status TEXT NOT NULL DEFAULT 'running', code TEXT, pipeline TEXT,
  task_digest TEXT, task TEXT,
  started_at INTEGER, ended_at INTEGER, changed_at INTEGER NOT NULL,
  records INTEGER NOT NULL DEFAULT 0, audit_seq INTEGER, audit_hash TEXT
);
CREATE TABLE writers (
  run_id TEXT PRIMARY KEY, epoch INTEGER NOT NULL, holder TEXT NOT NULL, pid INTEGER NOT NULL,
  place TEXT NOT NULL,
  beat_at INTEGER NOT NULL, released_at INTEGER
);
CREATE TABLE records (
  run_id TEXT NOT NULL, n INTEGER NOT NULL, epoch INTEGER NOT NULL, type TEXT NOT NULL,
  body TEXT NOT NULL, sum TEXT NOT NULL, at INTEGER NOT NULL,
  PRIMARY KEY (run_id, n)
);
CREATE TABLE steps (
  run_id TEXT NOT NULL, n INTEGER NOT NULL, name TEXT NOT NULL, iteration INTEGER, reviewer TEXT,
  failed INTEGER NOT NULL, code TEXT, message TEXT,
  input_tokens INTEGER, output_tokens INTEGER, cached_input_tokens INTEGER, total_tokens INTEGER,
  cost_usd REAL, workspace TEXT, at INTEGER NOT NULL,
  PRIMARY KEY (run_id, n)
);
CREATE TABLE questions (
  run_id TEXT NOT NULL, id TEXT NOT NULL, version TEXT NOT NULL, question TEXT NOT NULL,
  allowed TEXT NOT NULL, approved INTEGER, gaps INTEGER NOT NULL,
  asked_at INTEGER NOT NULL, expires_at TEXT,
  PRIMARY KEY (run_id, id)
);
CREATE TABLE answers (
  run_id TEXT NOT NULL, n INTEGER NOT NULL, id TEXT NOT NULL, version TEXT NOT NULL,
  kind TEXT NOT NULL, who TEXT NOT NULL, reason TEXT, at INTEGER NOT NULL,
  PRIMARY KEY (run_id, n)
);
CREATE TABLE assessments (
  run_id TEXT NOT NULL, iteration INTEGER NOT NULL, n INTEGER NOT NULL, criterion TEXT NOT NULL,
  verdict TEXT NOT NULL, score REAL, explanation TEXT, code TEXT, gaps INTEGER NOT NULL,
  PRIMARY KEY (run_id, iteration, n)
);
CREATE TABLE gaps (
  run_id TEXT NOT NULL, iteration INTEGER NOT NULL, n INTEGER NOT NULL, id TEXT NOT NULL,
  severity TEXT NOT NULL, category TEXT NOT NULL, description TEXT NOT NULL,
  suggested_fix TEXT NOT NULL, effort TEXT NOT NULL, auto_fixable INTEGER NOT NULL,
  requirement TEXT, criterion TEXT, raised_by TEXT,
  file TEXT, line INTEGER, end_line INTEGER, evidence TEXT, lifecycle TEXT, standing TEXT,
  fixed INTEGER NOT NULL,
  PRIMARY KEY (run_id, iteration, n)
);
CREATE TABLE verdicts (
  key TEXT PRIMARY KEY, reviewer TEXT NOT NULL, version TEXT NOT NULL, passed INTEGER NOT NULL,
  assessments INTEGER NOT NULL,
  total_tokens INTEGER, cost_usd REAL, at INTEGER NOT NULL, head TEXT NOT NULL, body TEXT NOT NULL
);
CREATE TABLE lessons (
  id INTEGER PRIMARY KEY, at TEXT NOT NULL, run TEXT NOT NULL, key TEXT NOT NULL,
  agent TEXT NOT NULL, title TEXT NOT NULL, summary TEXT NOT NULL, line TEXT NOT NULL
);
CREATE TABLE audit (
  seq INTEGER PRIMARY KEY, at TEXT NOT NULL, kind TEXT NOT NULL, who TEXT NOT NULL, run_id TEXT,
  version TEXT, request TEXT, verdict TEXT, decision TEXT, reason TEXT, line TEXT NOT NULL
);
CREATE TABLE attempts (
  task_id TEXT NOT NULL, attempt INTEGER NOT NULL, run_id TEXT, status TEXT, error TEXT,
  error_code TEXT,
  input_tokens INTEGER, output_tokens INTEGER, cached_input_tokens INTEGER, total_tokens INTEGER,
  cost_usd REAL, at INTEGER
, review_status TEXT, review_findings TEXT, machine_verdict TEXT, human_decision TEXT, human_by TEXT, human_reason TEXT, review_issues INTEGER, review_duration_ms INTEGER, run_attempt INTEGER);
CREATE TABLE reviews (
  run_id TEXT NOT NULL, iteration INTEGER NOT NULL, version TEXT NOT NULL, parent TEXT,
  complete INTEGER NOT NULL,
  quality REAL, completeness REAL, correctness REAL, overall REAL,
  judged INTEGER NOT NULL, total INTEGER NOT NULL,
  decision TEXT NOT NULL, code TEXT, reason TEXT NOT NULL, reused INTEGER NOT NULL,
  input_tokens INTEGER, output_tokens INTEGER, total_tokens INTEGER, cost_usd REAL,
  duration_ms INTEGER NOT NULL, at TEXT NOT NULL,
  PRIMARY KEY (run_id, iteration)
);
INSERT INTO runs VALUES ('mended', 'approved', 'approved', 'mending', '3bc0d31a4f14f996d0648eb824227f6ea58f10558371932bda617dbbecf12092', '"tea"', 1795959498585, 1795959498996, 1795959498996, 7, NULL, NULL);
INSERT INTO runs VALUES ('answered', 'accepted', 'person_overrode', 'asking', '3bc0d31a4f14f996d0648eb824227f6ea58f10558371932bda617dbbecf12092', '"tea"', 1795959499135, 1795959499192, 1795959499192, 8, 1, '0a871ccff0399a12eee25ccebf4a7b25e680f3ccaa24f2ab422681a1e7b3da61');
INSERT INTO runs VALUES ('waiting', 'suspended', 'waiting', 'asking', '3bc0d31a4f14f996d0648eb824227f6ea58f10558371932bda617dbbecf12092', '"tea"', 1795959499197, 1795959499210, 1795959499210, 6, NULL, NULL);
INSERT INTO runs VALUES ('overridden', 'accepted', 'person_overrode', 'stuck', '3bc0d31a4f14f996d0648eb824227f6ea58f10558371932bda617dbbecf12092', '"tea"', 1795959499212, 1795959499236, 1795959499236, 7, 2, 'b6743d8164728a00d385214254f6b1ab135c11c9d1788eeffe06d88b6ce12537');
INSERT INTO runs VALUES ('inconclusive', 'inconclusive', 'judge_failed', 'failing', '3bc0d31a4f14f996d0648eb824227f6ea58f10558371932bda617dbbecf12092', '"tea"', 1795959499239, 1795959499248, 1795959499248, 4, NULL, NULL);
INSERT INTO writers VALUES ('mended', 1, '4f4c4fd8-8cf0-4274-b224-df20463d54fd', 2754, 'other/machine', 1795959498572, 1795959499132);
INSERT INTO writers VALUES ('answered', 2, 'f353eb18-417f-454a-999f-e8620a36e343', 2754, 'other/machine', 1795959499177, 1795959499195);
INSERT INTO writers VALUES ('waiting', 1, '1649405d-1b26-4aa4-a190-877ccdbe4467', 2754, 'other/machine', 1795959499196, 1795959499210);
INSERT INTO writers VALUES ('overridden', 2, '0528e2a1-43fc-4c25-b425-daf2cc6ab174', 2754, 'other/machine', 1795959499222, 1795959499238);
INSERT INTO writers VALUES ('inconclusive', 1, '01fd39ca-8aca-473e-9311-c24e7a720a91', 2754, 'other/machine', 1795959499238, 1795959499250);
INSERT INTO records VALUES ('mended', 0, 1, 'run', '{"type":"run","schema":1,"runId":"mended","pipeline":"mending","taskDigest":"3bc0d31a4f14f996d0648eb824227f6ea58f10558371932bda617dbbecf12092","task":"tea","nonce":"121844d1d83469dafdf1a6e3142a5783","parts":{"version":"","settings":"37e3f98a378bb84e","reviewer judge":"1 (model)"},"at":1795959498585}', '3f92ce045c723a20', 1795959498585);
INSERT INTO records VALUES ('mended', 1, 1, 'step', '{"type":"step","name":"lessons","input":"3bc0d31a4f14f996d0648eb824227f6ea58f10558371932bda617dbbecf12092","value":"","at":1795959498780}', '693a4e0129fa0340', 1795959498780);
INSERT INTO records VALUES ('mended', 2, 1, 'step', '{"type":"step","name":"produce","input":"3bc0d31a4f14f996d0648eb824227f6ea58f10558371932bda617dbbecf12092","value":"tea loud","at":1795959498785}', '6659d117f9beaf94', 1795959498785);
INSERT INTO records VALUES ('mended', 3, 1, 'step', '{"type":"step","name":"iter:1/review:judge/ask","input":"b800a45534461f380d278d1fce6e2367e9d3b761c71a334098a3d099a93cd44b","value":false,"usage":{"inputTokens":100,"outputTokens":10,"costUsd":0.01,"totalTokens":110},"at":1795959498794}', '4a59c01f79c1296b', 1795959498794);
INSERT INTO records VALUES ('mended', 4, 1, 'step', '{"type":"step","name":"iter:1/address","input":"759b0650672b4d8674e7cdba20d1c93f911310ded6a2322136767b98811f3678","value":"tea","at":1795959498930}', '0758b116359aadf6', 1795959498930);
INSERT INTO records VALUES ('mended', 5, 1, 'step', '{"type":"step","name":"iter:2/review:judge/ask","input":"3bc0d31a4f14f996d0648eb824227f6ea58f10558371932bda617dbbecf12092","value":true,"usage":{"inputTokens":100,"outputTokens":10,"costUsd":0.01,"totalTokens":110},"at":1795959498948}', 'a8fe3454b5fdbc30', 1795959498948);
INSERT INTO records VALUES ('mended', 6, 1, 'end', '{"type":"end","status":"approved","code":"approved","at":1795959498996}', 'b48bec07b609579b', 1795959498996);
INSERT INTO records VALUES ('answered', 0, 1, 'run', '{"type":"run","schema":1,"runId":"answered","pipeline":"asking","taskDigest":"3bc0d31a4f14f996d0648eb824227f6ea58f10558371932bda617dbbecf12092","task":"tea","nonce":"81ab5cb8ae4199402d046637bb1c5711","parts":{"version":"","settings":"37e3f98a378bb84e","reviewer judge":"1 (model)"},"at":1795959499135}', '3f040647c542b3a6', 1795959499135);
INSERT INTO records VALUES ('answered', 1, 1, 'step', '{"type":"step","name":"lessons","input":"3bc0d31a4f14f996d0648eb824227f6ea58f10558371932bda617dbbecf12092","value":"- mending self-review pattern: quality: Agent mending improved from 60% to 100% quality over 2 iterations. Common gaps: quality (1x).\n  Seen: major quality: too loud\n  Helped: Fixed quality: too loud via mend it","at":1795959499155}', '2e03ab04ab140ca1', 1795959499155);
INSERT INTO records VALUES ('answered', 2, 1, 'step', '{"type":"step","name":"produce","input":"3bc0d31a4f14f996d0648eb824227f6ea58f10558371932bda617dbbecf12092","value":"tea loud","at":1795959499156}', 'c41bcf5600d09291', 1795959499156);
INSERT INTO records VALUES ('answered', 3, 1, 'step', '{"type":"step","name":"iter:1/review:judge/ask","input":"b800a45534461f380d278d1fce6e2367e9d3b761c71a334098a3d099a93cd44b","value":false,"usage":{"inputTokens":100,"outputTokens":10,"costUsd":0.01,"totalTokens":110},"at":1795959499157}', 'fd471794c52077f1', 1795959499157);
INSERT INTO records VALUES ('answered', 4, 1, 'request', '{"type":"request","request":{"id":"1f482c7316741823","runId":"answered","digest":"b800a45534461f380d278d1fce6e2367e9d3b761c71a334098a3d099a93cd44b","from":"policy","question":"ship it?","gaps":[{"id":"gap-b94a1167b2aec06e","severity":"major","category":"quality","description":"too loud","suggestedFix":"mend it","estimatedEffort":"small","autoFixable":true,"location":{"file":"a.md","line":3},"evidence":"loud","criterionId":"tone","raisedBy":"judge","lifecycle":"new"}],"allowed":["approve","reject","override"],"approved":false},"at":1795959499171}', '7b6d37bbaa39cfb5', 1795959499171);
INSERT INTO records VALUES ('answered', 5, 1, 'end', '{"type":"end","status":"suspended","code":"waiting","waits":["1f482c7316741823"],"at":1795959499173}', '891e9c5246643daa', 1795959499173);
INSERT INTO records VALUES ('answered', 6, 2, 'answer', '{"type":"answer","id":"1f482c7316741823","digest":"b800a45534461f380d278d1fce6e2367e9d3b761c71a334098a3d099a93cd44b","answer":{"kind":"override","by":"ann","reason":"the client likes it loud"},"at":1795959499180}', 'cba520f2d582826b', 1795959499180);
INSERT INTO records VALUES ('answered', 7, 2, 'end', '{"type":"end","status":"accepted","code":"person_overrode","at":1795959499192}', '49d30b26bf6af991', 1795959499192);
INSERT INTO records VALUES ('waiting', 0, 1, 'run', '{"type":"run","schema":1,"runId":"waiting","pipeline":"asking","taskDigest":"3bc0d31a4f14f996d0648eb824227f6ea58f10558371932bda617dbbecf12092","task":"tea","nonce":"6e6a2a9141007e674fd438e9cb99ac90","parts":{"version":"","settings":"37e3f98a378bb84e","reviewer judge":"1 (model)"},"at":1795959499197}', '1e2f8b4ab1ec1d7a', 1795959499197);
INSERT INTO records VALUES ('waiting', 1, 1, 'step', '{"type":"step","name":"lessons","input":"3bc0d31a4f14f996d0648eb824227f6ea58f10558371932bda617dbbecf12092","value":"- mending self-review pattern: quality: Agent mending improved from 60% to 100% quality over 2 iterations. Common gaps: quality (1x).\n  Seen: major quality: too loud\n  Helped: Fixed quality: too loud via mend it","at":1795959499199}', '9476010f56592099', 1795959499199);
INSERT INTO records VALUES ('waiting', 2, 1, 'step', '{"type":"step","name":"produce","input":"3bc0d31a4f14f996d0648eb824227f6ea58f10558371932bda617dbbecf12092","value":"tea loud","at":1795959499200}', '5cb2cb8fa8a37596', 1795959499200);
INSERT INTO records VALUES ('waiting', 3, 1, 'step', '{"type":"step","name":"iter:1/review:judge/ask","input":"b800a45534461f380d278d1fce6e2367e9d3b761c71a334098a3d099a93cd44b","value":false,"usage":{"inputTokens":100,"outputTokens":10,"costUsd":0.01,"totalTokens":110},"at":1795959499201}', '137d97fd0c849b78', 1795959499201);
INSERT INTO records VALUES ('waiting', 4, 1, 'request', '{"type":"request","request":{"id":"acd776af3661fd17","runId":"waiting","digest":"b800a45534461f380d278d1fce6e2367e9d3b761c71a334098a3d099a93cd44b","from":"policy","question":"ship it?","gaps":[{"id":"gap-b94a1167b2aec06e","severity":"major","category":"quality","description":"too loud","suggestedFix":"mend it","estimatedEffort":"small","autoFixable":true,"location":{"file":"a.md","line":3},"evidence":"loud","criterionId":"tone","raisedBy":"judge","lifecycle":"new"}],"allowed":["approve","reject","override"],"approved":false},"at":1795959499204}', 'bfc171fcda84ba48', 1795959499204);
INSERT INTO records VALUES ('waiting', 5, 1, 'end', '{"type":"end","status":"suspended","code":"waiting","waits":["acd776af3661fd17"],"at":1795959499210}', 'd8232e1f6dbf47b8', 1795959499210);
INSERT INTO records VALUES ('overridden', 0, 1, 'run', '{"type":"run","schema":1,"runId":"overridden","pipeline":"stuck","taskDigest":"3bc0d31a4f14f996d0648eb824227f6ea58f10558371932bda617dbbecf12092","task":"tea","nonce":"aed136f0304eb2ec5a9c6d4e53c16281","parts":{"version":"","settings":"82bdf1b498b45233","reviewer judge":"1 (model)"},"at":1795959499212}', 'a0638e8eae17fd35', 1795959499212);
INSERT INTO records VALUES ('overridden', 1, 1, 'step', '{"type":"step","name":"lessons","input":"3bc0d31a4f14f996d0648eb824227f6ea58f10558371932bda617dbbecf12092","value":"- mending self-review pattern: quality: Agent mending improved from 60% to 100% quality over 2 iterations. Common gaps: quality (1x).\n  Seen: major quality: too loud\n  Helped: Fixed quality: too loud via mend it","at":1795959499213}', 'b60e03616780ef6d', 1795959499213);
INSERT INTO records VALUES ('overridden', 2, 1, 'step', '{"type":"step","name":"produce","input":"3bc0d31a4f14f996d0648eb824227f6ea58f10558371932bda617dbbecf12092","value":"tea loud","at":1795959499216}', 'e159ef96da3c8369', 1795959499216);
INSERT INTO records VALUES ('overridden', 3, 1, 'step', '{"type":"step","name":"iter:1/review:judge/ask","input":"b800a45534461f380d278d1fce6e2367e9d3b761c71a334098a3d099a93cd44b","value":false,"usage":{"inputTokens":100,"outputTokens":10,"costUsd":0.01,"totalTokens":110},"at":1795959499218}', '758dfc7d3b5f9cd0', 1795959499218);
INSERT INTO records VALUES ('overridden', 4, 1, 'end', '{"type":"end","status":"exhausted","code":"iterations","at":1795959499220}', '726945c933b72ef4', 1795959499220);
INSERT INTO records VALUES ('overridden', 5, 2, 'answer', '{"type":"answer","id":"faeb3fec40ce99da","digest":"b800a45534461f380d278d1fce6e2367e9d3b761c71a334098a3d099a93cd44b","answer":{"kind":"override","by":"bob","reason":"good enough"},"at":1795959499231}', '84aaaa66ef250975', 1795959499231);
INSERT INTO records VALUES ('overridden', 6, 2, 'end', '{"type":"end","status":"accepted","code":"person_overrode","at":1795959499236}', '1b473643fd9c704f', 1795959499236);
INSERT INTO records VALUES ('inconclusive', 0, 1, 'run', '{"type":"run","schema":1,"runId":"inconclusive","pipeline":"failing","taskDigest":"3bc0d31a4f14f996d0648eb824227f6ea58f10558371932bda617dbbecf12092","task":"tea","nonce":"5a6785f3c195770fed007c5f38d8171e","parts":{"version":"","settings":"82bdf1b498b45233","reviewer broken":"1 (model)"},"at":1795959499239}', 'f3b9806ba256e196', 1795959499239);
INSERT INTO records VALUES ('inconclusive', 1, 1, 'step', '{"type":"step","name":"lessons","input":"3bc0d31a4f14f996d0648eb824227f6ea58f10558371932bda617dbbecf12092","value":"- mending self-review pattern: quality: Agent mending improved from 60% to 100% quality over 2 iterations. Common gaps: quality (1x).\n  Seen: major quality: too loud\n  Helped: Fixed quality: too loud via mend it","at":1795959499242}', '23103dd48d512907', 1795959499242);
INSERT INTO records VALUES ('inconclusive', 2, 1, 'step', '{"type":"step","name":"produce","input":"3bc0d31a4f14f996d0648eb824227f6ea58f10558371932bda617dbbecf12092","value":"tea loud","at":1795959499244}', '3ca3d90e6a0c7910', 1795959499244);
INSERT INTO records VALUES ('inconclusive', 3, 1, 'end', '{"type":"end","status":"inconclusive","code":"judge_failed","at":1795959499248}', 'c0cba847a4637e79', 1795959499248);
INSERT INTO steps VALUES ('mended', 1, 'lessons', NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795959498780);
INSERT INTO steps VALUES ('mended', 2, 'produce', NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795959498785);
INSERT INTO steps VALUES ('mended', 3, 'iter:1/review:judge/ask', 1, 'judge', 0, NULL, NULL, 100, 10, NULL, 110, 0.01, NULL, 1795959498794);
INSERT INTO steps VALUES ('mended', 4, 'iter:1/address', 1, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795959498930);
INSERT INTO steps VALUES ('mended', 5, 'iter:2/review:judge/ask', 2, 'judge', 0, NULL, NULL, 100, 10, NULL, 110, 0.01, NULL, 1795959498948);
INSERT INTO steps VALUES ('answered', 1, 'lessons', NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795959499155);
INSERT INTO steps VALUES ('answered', 2, 'produce', NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795959499156);
INSERT INTO steps VALUES ('answered', 3, 'iter:1/review:judge/ask', 1, 'judge', 0, NULL, NULL, 100, 10, NULL, 110, 0.01, NULL, 1795959499157);
INSERT INTO steps VALUES ('waiting', 1, 'lessons', NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795959499199);
INSERT INTO steps VALUES ('waiting', 2, 'produce', NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795959499200);
INSERT INTO steps VALUES ('waiting', 3, 'iter:1/review:judge/ask', 1, 'judge', 0, NULL, NULL, 100, 10, NULL, 110, 0.01, NULL, 1795959499201);
INSERT INTO steps VALUES ('overridden', 1, 'lessons', NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795959499213);
INSERT INTO steps VALUES ('overridden', 2, 'produce', NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795959499216);
INSERT INTO steps VALUES ('overridden', 3, 'iter:1/review:judge/ask', 1, 'judge', 0, NULL, NULL, 100, 10, NULL, 110, 0.01, NULL, 1795959499218);
INSERT INTO steps VALUES ('inconclusive', 1, 'lessons', NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795959499242);
INSERT INTO steps VALUES ('inconclusive', 2, 'produce', NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1795959499244);
INSERT INTO questions VALUES ('answered', '1f482c7316741823', 'b800a45534461f380d278d1fce6e2367e9d3b761c71a334098a3d099a93cd44b', 'ship it?', 'approve reject override', 0, 1, 1795959499171, NULL);
INSERT INTO questions VALUES ('waiting', 'acd776af3661fd17', 'b800a45534461f380d278d1fce6e2367e9d3b761c71a334098a3d099a93cd44b', 'ship it?', 'approve reject override', 0, 1, 1795959499204, NULL);
INSERT INTO answers VALUES ('answered', 6, '1f482c7316741823', 'b800a45534461f380d278d1fce6e2367e9d3b761c71a334098a3d099a93cd44b', 'override', 'ann', 'the client likes it loud', 1795959499180);
INSERT INTO answers VALUES ('overridden', 5, 'faeb3fec40ce99da', 'b800a45534461f380d278d1fce6e2367e9d3b761c71a334098a3d099a93cd44b', 'override', 'bob', 'good enough', 1795959499231);
INSERT INTO assessments VALUES ('mended', 1, 0, 'tone', 'fail', 0, 'too loud', NULL, 1);
INSERT INTO assessments VALUES ('mended', 2, 0, 'tone', 'pass', 1, '', NULL, 0);
INSERT INTO assessments VALUES ('answered', 1, 0, 'tone', 'fail', 0, 'too loud', NULL, 1);
INSERT INTO assessments VALUES ('waiting', 1, 0, 'tone', 'fail', 0, 'too loud', NULL, 1);
INSERT INTO assessments VALUES ('overridden', 1, 0, 'tone', 'fail', 0, 'too loud', NULL, 1);
INSERT INTO assessments VALUES ('inconclusive', 1, 0, 'broken', 'errored', NULL, 'broken threw: the judge is out. Read the cause: the reviewer threw instead of returning assessments.', 'reviewer_threw', 0);
INSERT INTO gaps VALUES ('mended', 1, 0, 'gap-b94a1167b2aec06e', 'major', 'quality', 'too loud', 'mend it', 'small', 1, NULL, 'tone', 'judge', 'a.md', 3, NULL, 'loud', 'new', NULL, 0);
INSERT INTO gaps VALUES ('mended', 2, 0, 'gap-b94a1167b2aec06e', 'major', 'quality', 'too loud', 'mend it', 'small', 1, NULL, 'tone', 'judge', 'a.md', 3, NULL, 'loud', 'fixed', NULL, 1);
INSERT INTO gaps VALUES ('answered', 1, 0, 'gap-b94a1167b2aec06e', 'major', 'quality', 'too loud', 'mend it', 'small', 1, NULL, 'tone', 'judge', 'a.md', 3, NULL, 'loud', 'new', NULL, 0);
INSERT INTO gaps VALUES ('waiting', 1, 0, 'gap-b94a1167b2aec06e', 'major', 'quality', 'too loud', 'mend it', 'small', 1, NULL, 'tone', 'judge', 'a.md', 3, NULL, 'loud', 'new', NULL, 0);
INSERT INTO gaps VALUES ('overridden', 1, 0, 'gap-b94a1167b2aec06e', 'major', 'quality', 'too loud', 'mend it', 'small', 1, NULL, 'tone', 'judge', 'a.md', 3, NULL, 'loud', 'new', NULL, 0);
INSERT INTO verdicts VALUES ('e2d253a9d18af01eb91cad7437d3aa332dedf540f64fd2ac6acf67a18b364820', 'judge', '1', 0, 1, 110, 0.01, 1795959498912, '{"v":1,"key":"e2d253a9d18af01eb91cad7437d3aa332dedf540f64fd2ac6acf67a18b364820","sha256":"85d6a2ac76edf4eda196cd2b4bbb51703e1b9b9572921c057f6989295c235f09"}', '{"schema":1,"about":{"reviewer":"judge","version":"1","task":"3bc0d31a4f14f996d0648eb824227f6ea58f10558371932bda617dbbecf12092","view":"b800a45534461f380d278d1fce6e2367e9d3b761c71a334098a3d099a93cd44b"},"assessments":[{"verdict":"fail","criterion":"tone","score":0,"explanation":"too loud","gaps":[{"id":"","severity":"major","category":"quality","description":"too loud","suggestedFix":"mend it","estimatedEffort":"small","autoFixable":true,"location":{"file":"a.md","line":3},"evidence":"loud"}]}],"usage":{"inputTokens":100,"outputTokens":10,"totalTokens":110,"costUsd":0.01},"at":1795959498912}');
INSERT INTO verdicts VALUES ('d8514a5f40708fc8735eaf56d5e7f968ccb60932113bba214bf6cad10eded1fa', 'judge', '1', 1, 1, 110, 0.01, 1795959498967, '{"v":1,"key":"d8514a5f40708fc8735eaf56d5e7f968ccb60932113bba214bf6cad10eded1fa","sha256":"e733cc0c231deb7b4da8945a2d313724783c0cf429150dfbc3ae0d7c1f6b997a"}', '{"schema":1,"about":{"reviewer":"judge","version":"1","task":"3bc0d31a4f14f996d0648eb824227f6ea58f10558371932bda617dbbecf12092","view":"3bc0d31a4f14f996d0648eb824227f6ea58f10558371932bda617dbbecf12092","history":"325e8141be5801065a77eb82fe0878dee12cac89f635b8936c434b00882e093b"},"assessments":[{"verdict":"pass","criterion":"tone","score":1,"explanation":"","gaps":[]}],"usage":{"inputTokens":100,"outputTokens":10,"totalTokens":110,"costUsd":0.01},"at":1795959498967}');
INSERT INTO lessons VALUES (1, '2026-11-29T13:38:18.947Z', '2481edd3b03fb258', 'd792225be6372983', 'mending', 'mending self-review pattern: quality', 'Agent mending improved from 60% to 100% quality over 2 iterations. Common gaps: quality (1x).', '{"v":1,"at":"2026-11-29T13:38:18.947Z","run":"2481edd3b03fb258","key":"d792225be6372983","words":["tea"],"lesson":{"category":"pattern","title":"mending self-review pattern: quality","summary":"Agent mending improved from 60% to 100% quality over 2 iterations. Common gaps: quality (1x).","details":"{\"agentId\":\"mending\",\"taskType\":\"general\",\"iterations\":2,\"initialScore\":0.6,\"finalScore\":1,\"gapPatterns\":[{\"category\":\"quality\",\"severity\":\"major\",\"frequency\":1,\"examples\":[\"too loud\"]}],\"successfulFixes\":[\"Fixed quality: too loud via mend it\"]}","tags":["agent:mending","self-review","gap:quality"],"sourceAgent":"mending","confidence":0.9},"sum":"11d6fca6a444d48a"}');
INSERT INTO audit VALUES (1, '2026-11-29T13:38:19.185Z', 'override', 'ann', 'answered', 'b800a45534461f380d278d1fce6e2367e9d3b761c71a334098a3d099a93cd44b', '1f482c7316741823', 'not approved', 'override', 'the client likes it loud', '{"at":"2026-11-29T13:38:19.185Z","decision":"override","hash":"0a871ccff0399a12eee25ccebf4a7b25e680f3ccaa24f2ab422681a1e7b3da61","kind":"override","previous":"0000000000000000000000000000000000000000000000000000000000000000","reason":"the client likes it loud","request":"1f482c7316741823","runId":"answered","schema":1,"seq":1,"verdict":"not approved","version":"b800a45534461f380d278d1fce6e2367e9d3b761c71a334098a3d099a93cd44b","who":"ann"}');
INSERT INTO audit VALUES (2, '2026-11-29T13:38:19.227Z', 'override', 'bob', 'overridden', 'b800a45534461f380d278d1fce6e2367e9d3b761c71a334098a3d099a93cd44b', NULL, 'exhausted (iterations)', 'override', 'good enough', '{"at":"2026-11-29T13:38:19.227Z","decision":"override","hash":"b6743d8164728a00d385214254f6b1ab135c11c9d1788eeffe06d88b6ce12537","kind":"override","previous":"0a871ccff0399a12eee25ccebf4a7b25e680f3ccaa24f2ab422681a1e7b3da61","reason":"good enough","runId":"overridden","schema":1,"seq":2,"verdict":"exhausted (iterations)","version":"b800a45534461f380d278d1fce6e2367e9d3b761c71a334098a3d099a93cd44b","who":"bob"}');
INSERT INTO attempts VALUES ('TASK-001', 1, 'r1', 'failed', 'tests failed', NULL, NULL, NULL, NULL, NULL, NULL, 1767225600000, NULL, NULL, 'not_run', NULL, NULL, NULL, NULL, NULL, 1);
INSERT INTO attempts VALUES ('TASK-001', 2, 'mended', 'success', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1767225600000, 'passed', NULL, 'passed', NULL, NULL, NULL, NULL, NULL, 1);
INSERT INTO attempts VALUES ('TASK-002', 1, 'r1', 'success', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1767225600000, 'passed', NULL, 'failed', 'approve', 'ann', NULL, 2, NULL, 1);
INSERT INTO reviews VALUES ('mended', 1, 'b800a45534461f380d278d1fce6e2367e9d3b761c71a334098a3d099a93cd44b', NULL, 1, 0, NULL, NULL, 0.6, 1, 1, 'revise', NULL, '1 critical or major gap, overall score 0.60 is below 0.80', 0, 100, 10, 110, 0.01, 133, '2026-11-29T13:38:18.791Z');
INSERT INTO reviews VALUES ('mended', 2, '3bc0d31a4f14f996d0648eb824227f6ea58f10558371932bda617dbbecf12092', 'b800a45534461f380d278d1fce6e2367e9d3b761c71a334098a3d099a93cd44b', 1, 1, NULL, NULL, 1, 1, 1, 'approve', NULL, 'overall score 1.00 reaches 0.80, no critical or major gap is open', 0, 100, 10, 110, 0.01, 29, '2026-11-29T13:38:18.947Z');
INSERT INTO reviews VALUES ('answered', 1, 'b800a45534461f380d278d1fce6e2367e9d3b761c71a334098a3d099a93cd44b', NULL, 1, 0, NULL, NULL, 0.6, 1, 1, 'ask', NULL, 'always', 0, 100, 10, 110, 0.01, 6, '2026-11-29T13:38:19.190Z');
INSERT INTO reviews VALUES ('waiting', 1, 'b800a45534461f380d278d1fce6e2367e9d3b761c71a334098a3d099a93cd44b', NULL, 1, 0, NULL, NULL, 0.6, 1, 1, 'ask', NULL, 'always', 0, 100, 10, 110, 0.01, 2, '2026-11-29T13:38:19.201Z');
INSERT INTO reviews VALUES ('overridden', 1, 'b800a45534461f380d278d1fce6e2367e9d3b761c71a334098a3d099a93cd44b', NULL, 1, 0, NULL, NULL, 0.6, 1, 1, 'revise', NULL, '1 critical or major gap, overall score 0.60 is below 0.80', 0, 100, 10, 110, 0.01, 1, '2026-11-29T13:38:19.223Z');
INSERT INTO reviews VALUES ('inconclusive', 1, 'b800a45534461f380d278d1fce6e2367e9d3b761c71a334098a3d099a93cd44b', NULL, 0, NULL, NULL, NULL, NULL, 0, 1, 'stop', 'judge_failed', '1 of 1 judges failed: broken (reviewer_threw): broken threw: the judge is out', 0, NULL, NULL, NULL, NULL, 1, '2026-11-29T13:38:19.247Z');
CREATE UNIQUE INDEX attempts_of ON attempts (task_id, attempt);
CREATE INDEX runs_by_status ON runs (status);
CREATE INDEX runs_by_status_time ON runs (status, changed_at, run_id);
CREATE INDEX gaps_by_id ON gaps (id);
CREATE INDEX gaps_by_criterion ON gaps (criterion);
CREATE INDEX verdicts_by_time ON verdicts (at);
CREATE INDEX answers_by_person ON answers (who);
