// made in the kernel: lesson stores need it too, and adapters import no blocks
export { createLessonFromReview, type GapPattern, GapPatternSchema, type LessonDetails, LessonDetailsSchema, type LessonInput, LessonInputSchema, lessonsFrom } from '../kernel/lesson.js';
