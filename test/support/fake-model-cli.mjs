#!/usr/bin/env node
// A program that prints what `claude` or `codex` print, as FAKE_ANSWER says. It appends a line to FAKE_CALLS for each call.
import { spawn } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';

const answer = JSON.parse(readFileSync(process.env.FAKE_ANSWER, 'utf8'));
const args = process.argv.slice(2);
const after = (flag) => (args.includes(flag) ? args[args.indexOf(flag) + 1] : undefined);
const input = readFileSync(0, 'utf8');
const files = ['--system-prompt-file', '--output-schema']
  .map((flag) => [flag, after(flag)])
  .filter(([, path]) => path !== undefined);
const call = {
  args,
  input,
  cwd: process.cwd(),
  env: process.env,
  files: Object.fromEntries(files.map(([flag, path]) => [flag, readFileSync(path, 'utf8')])),
};
appendFileSync(process.env.FAKE_CALLS, `${JSON.stringify(call)}\n`);
const calls = readFileSync(process.env.FAKE_CALLS, 'utf8').trim().split('\n').length;

const print = (text, code = 0) => {
  process.exitCode = code;
  process.stdout.write(text);
};

const claude = () => {
  const usage =
    answer.usage === undefined
      ? {}
      : {
          usage: {
            input_tokens: answer.usage.input,
            output_tokens: answer.usage.output,
            cache_read_input_tokens: 0,
            cache_creation_input_tokens: 0,
          },
        };
  const base = {
    type: 'result',
    subtype: 'success',
    is_error: false,
    api_error_status: null,
    stop_reason: 'end_turn',
    modelUsage: { 'served-model': {} },
    ...usage,
  };
  const broken = (more) => print(JSON.stringify({ ...base, is_error: true, ...more }), 1);
  if (answer.kind === 'status')
    return broken({
      api_error_status: answer.status,
      result: `API Error: ${answer.status} ${answer.message}`,
    });
  if (answer.kind === 'length')
    return broken({ result: "API Error: Claude's response exceeded the 10 output token maximum." });
  if (answer.kind === 'refusal') return broken({ stop_reason: 'refusal', result: answer.text });
  const structured =
    args.includes('--json-schema') && calls > (answer.missing ?? 0)
      ? { structured_output: JSON.parse(answer.text) }
      : {};
  print(JSON.stringify({ ...base, result: answer.text, ...structured }));
};

const codex = () => {
  const lines = [
    { type: 'thread.started', thread_id: 't1' },
    { type: 'turn.started' },
    { type: 'item.completed', item: { id: 'i0', type: 'error', message: 'only a warning' } },
  ];
  const failed = (message) =>
    print(
      [...lines, { type: 'error', message }, { type: 'turn.failed', error: { message } }]
        .map((line) => `${JSON.stringify(line)}\n`)
        .join(''),
      1,
    );
  if (answer.kind === 'status')
    return failed(
      answer.status === 400
        ? JSON.stringify({ error: { message: answer.message } })
        : `unexpected status ${answer.status}: ${answer.message}`,
    );
  if (answer.kind === 'length')
    return failed('Incomplete response returned, reason: max_output_tokens');
  if (answer.kind === 'content-filter')
    return failed('Incomplete response returned, reason: content_filter');
  lines.push({
    type: 'item.completed',
    item: { id: 'i1', type: 'agent_message', text: 'let me see' },
  });
  lines.push({
    type: 'item.completed',
    item: { id: 'i2', type: 'agent_message', text: answer.text },
  });
  const usage =
    answer.usage === undefined
      ? {}
      : {
          usage: {
            input_tokens: answer.usage.input,
            cached_input_tokens: 0,
            output_tokens: answer.usage.output,
          },
        };
  lines.push({ type: 'turn.completed', ...usage });
  if (answer.noLast !== true) writeFileSync(after('-o'), answer.text);
  print(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
};

const text = () => {
  if (answer.kind === 'status') return print(answer.message, 3);
  print(answer.text);
};

if (answer.kind === 'stubborn') {
  process.on('SIGTERM', () => {});
  const child = spawn(
    process.execPath,
    ['-e', 'process.on("SIGTERM",()=>{});setInterval(()=>{},1000)'],
    { stdio: 'inherit' },
  );
  writeFileSync(answer.pids, JSON.stringify([process.pid, child.pid]));
  setInterval(() => {}, 1000);
} else if (answer.kind === 'silence') setInterval(() => {}, 1000);
else if (answer.kind === 'malformed') print('no JSON at all');
else if (answer.kind === 'cut') process.kill(process.pid, 'SIGKILL');
else ({ claude, codex, text })[process.env.FAKE_KIND]();
