// The pipeline and the store of the function. Every call is a process of its own; only PostgreSQL lasts.
import { definePipeline } from 'reviewloop';
import { postgresStore } from 'reviewloop/stores/postgres';

export const store = postgresStore(process.env['DATABASE_URL'] ?? '', {
  schema: process.env['SCHEMA'] ?? 'reviewloop',
  leaseMs: 5000,
});

const article = definePipeline<string, string>({
  name: 'article',
  store,
  produce: async (topic) => `# ${topic}\n\nAll about ${topic}.`,
  criteria: { title: (text) => text.startsWith('# ') || 'the title is missing' },
  human: { policy: 'require' },
});

export const pipelines = { article };
