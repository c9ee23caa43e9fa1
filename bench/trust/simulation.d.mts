import type * as library from '../../src/index.js';

/** What the simulation needs of the library. */
export type Library = typeof library;
export interface Share {
  readonly value: number;
  readonly error: number;
}
export interface Figures {
  readonly clean: Share;
  readonly falseApprovals: Share;
  readonly wrongPerTask: Share;
  readonly worse: Share;
  readonly approved: Share;
  readonly unreviewed: Share;
  readonly toPerson: Share;
  readonly calls: number;
  readonly edits: number;
  readonly inARow: number;
}
export interface Regime {
  readonly judge: { readonly catches: number; readonly alarms: number };
  readonly fixer: { readonly fix: number; readonly damageFlagged: number; readonly damageOther: number };
  readonly alike: { readonly sameJudge: number; readonly otherJudge: number };
  readonly items: { readonly critical: number; readonly major: number; readonly minor: number };
  readonly outage: number;
  readonly byCode: number;
}
export const regimes: Readonly<Record<'mid' | 'strong' | 'bad fixer' | 'outage' | 'half by code', Regime>>;
export interface NoisyJudge extends library.LLMProvider {
  readonly calls: number;
  readonly look: (text: string) => boolean;
}
export interface TaskWorld {
  readonly judgeOf: (family: string) => NoisyJudge;
  readonly draft: (sample?: number) => Record<string, string>;
  readonly edit: (output: Record<string, string>, told: ReadonlySet<string>) => Record<string, string>;
  readonly cost: () => { readonly calls: number; readonly edits: number; readonly inARow: number };
}
export function worldOf(options: { readonly seed: number; readonly task: number; readonly regime: Regime; readonly session?: boolean }): TaskWorld;
export function judged(world: TaskWorld, output: Record<string, string>, options?: { readonly family?: string; readonly tries?: number }): { readonly flagged: ReadonlySet<string>; readonly failed: boolean; readonly blocks: boolean };
export function itemsOf(regime?: Regime): readonly { readonly id: string; readonly severity: 'critical' | 'major' | 'minor' }[];
export function draft(world: { readonly seed: number; readonly task: number; readonly sample?: number; readonly regime?: Regime }): Record<string, string>;
export function faults(output: Record<string, string>): number;
export function read(text: string): { readonly id: string; readonly ok: boolean };
export function noisyJudge(options: { readonly seed: number; readonly family: string; readonly regime: Regime }): NoisyJudge;
export function cell(lib: Library, name: string, options: { readonly regime: Regime; readonly runs: number; readonly seed?: number; readonly from?: number; readonly byPrompts?: boolean; readonly each?: (task: number, became: { readonly wrong: boolean; readonly worse: boolean; readonly clean: boolean }) => void }): Promise<Readonly<Record<string, number>>>;
export function figures(counts: Readonly<Record<string, number>>): Figures;
export function pairedAbove(first: readonly boolean[], second: readonly boolean[]): number;
export function above(higher: Share, lower: Share): number;
export const presetCells: readonly { readonly preset: string; readonly judges: number; readonly name: string }[];
export function editsTable(file?: string): string;
export const measuredFile: string;
