// Recorded judges: their items, what gates let through, and the pages that show it.
export { gateOf } from './gates.mjs';
export { usableItems } from './items.mjs';
export { staleTables } from './pages.mjs';
