/** Applies a policy, or restores a backup: plans what is to change in each account, and reads what is about to be overwritten. */
import type {PolicyWithLists} from '../reading/read-policy.js';
import {keyOf, type Row} from '../sections/policy-kind.js';
import {Change} from './change.js';
import {compareWhole} from './compare.js';
import {refuseNoDigest} from './digest.js';
import {cannotIn, planOf} from './plan.js';
import {heldTexts} from './row-text.js';
import type {Changes} from './sending.js';
import {filesIn, openStates, type States} from './states.js';
import type {Target} from './target.js';

interface Applying extends Pick<Change['setting'], 'allowed' | 'beyond' | 'done' | 'expected' | 'remedy' | 'undo' | 'what'> {
  /** What to say if nothing differs from the account. @param host its server */
  readonly nothing: (host: string) => string;
}

/** @throws Failure `usage` where `expected` is no digest */
export function apply(given: PolicyWithLists, {nothing, ...setting}: Applying): Change {
  if (setting.expected !== undefined) refuseNoDigest(setting.expected);
  return new Change({
    ...setting,
    given,
    prepare: async (target, isWriting) =>
      prepareApply(given, target, await openStates(given, target, isWriting), nothing(target.server.host)),
  });
}

/** @throws Failure of a kind that could not be read, or when interrupted */
export async function prepareApply(given: PolicyWithLists, target: Target, states: States, nothing = ''): Promise<Changes> {
  const plan = planOf(await compareWhole(given, target, states));
  const warnings: string[] = [];
  const completed = new Map<Row, Row>();
  for (const {kind, actual} of plan.kinds) {
    const own = plan.changes.filter((row) => row.kind === kind);
    const prepared = own.length === 0 ? undefined : await kind.send.prepare?.(own, actual, target.client);
    for (const [index, row] of own.entries())
      if (prepared !== undefined) completed.set(row, {...row, ...prepared.rows[index], planned: [row.has, row.want]});
    if (prepared?.warning !== undefined) warnings.push(prepared.warning);
  }
  // Servers look up few accounts a day: those that an earlier run did not find are tried last.
  const isLast = ({kind, name}: Row) => {
    const keys = states[kind.owner]?.state.notFound;
    return keys !== undefined && keys.size > 0 && keys.has(keyOf(kind, name));
  };
  const rows = plan.changes.map((row) => completed.get(row) ?? row);
  return {
    ...plan,
    target,
    rows: [...rows.filter((row) => !isLast(row)), ...rows.filter(isLast)],
    notes: heldTexts(plan),
    warnings,
    states,
    nothing: cannotIn(plan).length > 0 ? undefined : nothing,
    async begin({at: run, expected}) {
      for (const file of filesIn(states)) await file.append([], true);
      const touched = filesIn(states).filter((file) => rows.some(({kind}) => states[kind.owner] === file));
      for (const file of touched) {
        await file.rewrite();
        await file.append([expected === undefined ? {run} : {run, expected}]);
      }
      return touched;
    },
    end: {end: true},
  };
}
