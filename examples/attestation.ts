/** An approval that others can check: who approved which text, and what spoke against it. */
import { generateKeyPairSync } from 'node:crypto';
import { definePipeline, memoryStore } from 'reviewloop';
import { attestation, runReport, verifyAttestation } from 'reviewloop/reports';

const store = memoryStore();
const pipeline = definePipeline({
  name: 'greeting',
  produce: async (guest: string) => `Hello, ${guest}!`,
  criteria: { friendly: (text) => text.startsWith('Hello') },
  store,
});
const outcome = await pipeline.run('Ann', { runId: 'greeting-1' });

const keys = generateKeyPairSync('ed25519', {
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const { bundle } = attestation({
  report: runReport(outcome, { pipeline: 'greeting' }),
  records: (await store.read(outcome.runId)) ?? [],
  output: outcome.output,
  key: keys.privateKey,
});

const check = { key: keys.publicKey, files: { output: 'Hello, Ann!' } };
const { statement, limits } = verifyAttestation(JSON.stringify(bundle), check);
console.log(`${statement.predicate.verdict} by ${statement.predicate.decidedBy}`);
for (const limit of limits) console.log(limit);
try {
  verifyAttestation(JSON.stringify(bundle), { ...check, files: { output: 'Goodbye!' } });
} catch (error) {
  console.log(String(error));
}
