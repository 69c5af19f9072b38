/** What is said of follows that blocks end. */
import type {Row} from '../model/kind.js';

/** What an undo of a block does not bring back. */
export const noFollows = 'follows ended in both directions, and are not restored';

/** A sentence where something is added. */
export const ofAdditions =
  (sentence: string) =>
  (rows: readonly Row[]): string | undefined =>
    rows.some(({action}) => action === 'add') ? sentence : undefined;
