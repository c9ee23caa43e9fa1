// the agent of the page: it names the day when a review asks for it
export const write = async (prompt: string): Promise<string> =>
  prompt.includes('no day is named')
    ? 'We refund 40 EUR. The money arrives within 5 days.'
    : 'We refund 40 EUR.';
