// node bench/run.mjs [case...]   JSON lines on stdout, everything in bench/results/latest.json.
import { prepareDist } from './lib/build.mjs';
import { Report } from './lib/report.mjs';

const names = [
  'calls',
  'size',
  'import',
  'hashing',
  'replay',
  'durable',
  'workspace',
  'overhead',
  'makespan',
  'concurrent',
  'screens',
  'shelf',
  'requirements',
  'prompts',
  'answers',
  'stage',
  'payload',
  'pages',
  'trust',
  'commands',
  'tracing',
  'limits',
  'postgres',
  'throughput',
];
const wanted = process.argv.length > 2 ? process.argv.slice(2) : names;
const unknown = wanted.filter((name) => !names.includes(name));

if (unknown.length > 0) {
  console.error(`bench: there is no case ${unknown.join(', ')}; there are ${names.join(', ')}`);
  process.exitCode = 1;
} else process.exitCode = await main();

async function main() {
  const report = new Report();
  try {
    prepareDist();
    for (const name of wanted) {
      process.stderr.write(`bench: ${name}\n`);
      const measured = await import(`./cases/${name}.mjs`);
      await measured[name === 'import' ? 'coldImport' : name](report);
    }
  } catch (error) {
    console.error(`bench: ${error instanceof Error ? error.message : error}`);
    return 1;
  } finally {
    report.finish();
  }
  return report.wrong === 0 ? 0 : 1;
}
