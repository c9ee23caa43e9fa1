import { definePipeline, memoryStore } from 'reviewloop';

/** A part of a stream that a review wrote. */
export interface StreamPart {
  readonly type: string;
  readonly data: object;
}

/** A pipeline that revises once, then asks a person. */
export const draft = definePipeline({
  produce: async (topic: string) => `All about ${topic}.`,
  address: async (text) => `# Tea\n\n${text}`,
  criteria: { 'has-title': (text) => text.startsWith('# ') || 'no title' },
  human: { policy: 'require' },
  store: memoryStore(),
});

export function answered(parts: readonly StreamPart[]) {
  const request = parts.find(({ type }) => type === 'data-request');
  const { id, digest } = Object(request?.data);
  return { id, digest, answer: { kind: 'approve', by: 'ann' } };
}

/** Prints what a stream contained. */
export function show(parts: readonly StreamPart[]): void {
  for (const { type, data } of parts) {
    const { approved, gaps, status } = Object(data);
    console.log(type, approved ?? gaps?.length ?? status ?? '');
  }
}
