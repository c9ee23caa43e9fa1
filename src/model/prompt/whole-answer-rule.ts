/** The rule for answers that `readAnswer` reads, for prompts that ask for JSON. */
export const wholeAnswer =
  'Your whole answer is one JSON object, with no words before or after it.';
