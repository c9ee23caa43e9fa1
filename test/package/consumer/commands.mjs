// Runs each command of the installed package once, or of the program that is given, in a folder with a page that fails.
// A command without a line here is an error.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const [program = resolve('node_modules/reviewloop/dist/bin.js')] = process.argv.slice(2);
const folder = resolve('work');
const phase = '--phase plan-code --state-dir .qr';
const files = {
  'TASK.md': '# Tea\n\nThe page must contain the word "Tea".\n',
  'site/index.html': '<html><title>Tea</title><body><img src="a.png"></body></html>',
  'site/style.css': 'a { colr: red }\n',
  'plan.md': '# Plan\n\n- [ ] 1. Write the page\n',
  'tasks.md': '# Tasks\n\n## T-1 Write a page\n\n- the page exists\n',
  'labels.jsonl': '{"label":"pass"}\n',
};

/** Returns whether an optional package is installed. */
function isThere(name) {
  try {
    import.meta.resolve(name);
    return true;
  } catch {
    return false;
  }
}

/** The arguments of each command, the exit code, and a part of what it prints. ID is the first run. */
const lines = {
  review: ['site --task TASK.md --criteria html', 50, 'html-lang'],
  requirements: ['TASK.md', 0, '1 requirement'],
  secrets: ['', 0, '0 secrets'],
  demo: ['', 0, 'APPROVED'],
  runs: ['ID --summary', 0, '# Tea: Not approved'],
  report: ['ID --html run.html', 0, '1 run in run.html'],
  diff: ['ID', 0, '0 files changed'],
  show: ['ID', 0, 'NOT APPROVED'],
  history: ['', 0, ''],
  answer: ['ID approve', 2, 'answer_not_allowed'],
  override: ['ID --reason fine', 0, 'APPROVED BY'],
  resume: ['ID', 0, 'APPROVED BY'],
  attest: ['ID', 0, 'https://in-toto.io/Statement/v1'],
  verify: ['none.json --key none.pem', 2, 'file_unreadable'],
  inbox: ['', null, 'http://'],
  'tasks run': ['--tasks tasks.md --all --exec true', 2, 'not_a_repository'],
  'tasks status': ['--tasks tasks.md', 0, 'T-1: pending'],
  gate: ['--job plan.md --step one', 2, 'error:'],
  accept: ['one two --reason fine', 2, 'run_unknown'],
  'audit verify': ['', 0, 'INTACT'],
  'store copy': ['file:.reviewloop file:other', 2, 'postgres://'],
  'store migrate': ['', 2, 'only databases at an address'],
  'store prune': ['--older-than 1d', 0, 'removed 0 runs'],
  mcp: isThere('@modelcontextprotocol/server') ? ['', 0, ''] : ['', 2, 'peer_missing'],
  calibrate: ['--judge ollama:tea --labels labels.jsonl', 2, 'labels_invalid'],
  certify: ['--labels labels.jsonl --arrangement tea', 2, 'labels_invalid'],
  'lessons drafts': ['', 0, 'no drafts'],
  'lessons requirements': ['', 0, 'no drafts'],
  'lessons accept': ['tea', 2, 'no draft "tea"'],
  'lessons reject': ['tea --reason no', 2, 'no draft "tea"'],
  'checklist decompose': [`plan.md ${phase}`, 0, 'Items created: 1'],
  'checklist verify': [`plan.md ${phase}`, 50, 'Status: FAIL'],
  'checklist fix': [phase, 0, 'Nothing failed'],
  'checklist status': [phase, 0, 'Total: 1'],
  'checklist list': [phase, 0, 'plan-code-001'],
  'checklist update': [`plan-code-001 --status PASS ${phase}`, 0, ''],
  'checklist accept': [`tea --reason fine ${phase}`, 1, 'not found'],
  hook: ['claude-code', 0, 'NO VERDICT'],
  init: ['', 0, 'reviewloop.config.mjs'],
  completion: ['bash', 0, '_reviewloop'],
};

const run = (args) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd: folder,
    input: '',
    encoding: 'utf8',
  });
  return { status, text: `${stdout}${stderr}` };
};

/** Runs a command that serves until it is ended; it is ended when it has printed something. */
const serve = (args, wanted) =>
  new Promise((done) => {
    const child = spawn(process.execPath, [program, ...args], { cwd: folder });
    let text = '';
    const hear = (chunk) => {
      text += chunk;
      if (text.includes(wanted)) child.kill('SIGKILL');
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.on('close', (status) => done({ status, text }));
  });

const commandsOf = (args) => {
  const list =
    run([...args, '--help'])
      .text.split('\nCommands:\n')[1]
      ?.split('\n\n')[0] ?? '';
  return [...list.matchAll(/^ {2}(\w[\w-]*)/gm)]
    .map(([, name]) => name)
    .filter((name) => name !== 'help');
};

for (const [path, text] of Object.entries(files)) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}
const groups = new Set(Object.keys(lines).flatMap((name) => /^(\S+) /.exec(name)?.[1] ?? []));
const known = new Set(Object.keys(lines));
const problems = [];
for (const name of commandsOf([])) {
  const found = groups.has(name) ? commandsOf([name]).map((sub) => `${name} ${sub}`) : [name];
  for (const command of found)
    if (!known.delete(command)) problems.push(`${command}: no line in commands.mjs`);
}
for (const name of known) problems.push(`${name}: a line of no command`);

let id = 'ID';
for (const [name, [given, code, wanted]] of Object.entries(lines)) {
  const args = `${name} ${given.replace('ID', id)}`.trim().split(' ');
  const { status, text } = code === null ? await serve(args, wanted) : run(args);
  if (status !== code || !text.includes(wanted))
    problems.push(
      `${args.join(' ')}: ended with ${status} for ${code}, without "${wanted}":\n${text}`,
    );
  if (id === 'ID') id = /runs\/([\w-]{36})/.exec(text)?.[1] ?? 'ID';
}
console.log(`${Object.keys(lines).length} commands`);
for (const problem of problems) console.log(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
