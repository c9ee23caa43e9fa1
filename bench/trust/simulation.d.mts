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
}
export interface Regime {
  readonly judge: { readonly catches: number; readonly alarms: number };
  readonly fixer: { readonly fix: number; readonly damageFlagged: number; readonly damageOther: number };
  readonly outage: number;
  readonly byCode: number;
}
export const regimes: Readonly<Record<'mid' | 'strong' | 'agreeable' | 'bad fixer' | 'outage' | 'half by code', Regime>>;
export const blocking: readonly string[];
export function draft(world: { readonly seed: number; readonly task: number; readonly sample?: number }): Record<string, string>;
export function faults(output: Record<string, string>): number;
export function read(text: string): { readonly id: string; readonly ok: boolean };
export function noisyJudge(options: { readonly seed: number; readonly family: string; readonly regime: Regime }): library.LLMProvider;
export function calibrationPoints(count?: number): Readonly<Record<'oneShot' | 'agreement' | 'kappa' | 'flips' | 'votes', number>>;
export function oracle(lib: Library, runs: number): Promise<number>;
export function cell(lib: Library, name: string, options: { readonly regime: Regime; readonly runs: number; readonly seed?: number; readonly each?: (task: number, became: { readonly wrong: boolean; readonly worse: boolean }) => void }): Promise<Readonly<Record<string, number>>>;
export function figures(counts: Readonly<Record<string, number>>): Figures;
export function pairedAbove(first: readonly boolean[], second: readonly boolean[]): number;
export function above(higher: Share, lower: Share): number;
