/** Whether the changes of a plan file do what they show: what they name is compared with what the account has. */
import {Failure, guarded} from '../../client/failure.js';
import type {Change} from '../model/change.js';
import {adviceOf, whoseText} from '../model/difference.js';
import {isOver, overText} from '../model/time.js';
import {shownChange} from './plan-text.js';
import {changingOf, sectionOf} from '../sections/index.js';
import type {SectionKey} from '../model/section-types.js';
import type {State} from '../model/server-state.js';

/** The sections that changes are about. */
export function partsChanged(changes: readonly Change[]): ReadonlySet<SectionKey> {
  return new Set(changes.flatMap(({kind}) => sectionOf(kind)?.key ?? []));
}

/** @throws Failure `usage` when two changes are about the same */
export function refuseRepeated(changes: readonly Change[], host: string, file: string): void {
  const known = new Set<string>();
  const removed = new Set(changes.flatMap((one) => (one.kind === 'filter' && one.action === 'remove' ? one.details.id : [])));
  for (const change of changes) {
    const key = changingOf(change.kind).target(change, host);
    const isRemoved = change.kind === 'filter' && change.action === 'update' && removed.has(change.details.id);
    if (known.has(key) || isRemoved)
      throw new Failure('usage', `${file} has two changes of the same item: ${shownChange(change)}`, {
        hint: 'make a new one with `pixelctl plan --out`',
      });
    known.add(key);
  }
}

/**
 * @param changes of a plan file that are about to be made
 * @throws Failure `refused` when one of them would do something else than it shows, or its entry counts no more
 */
export function refuseUnfit(
  changes: readonly Change[],
  state: State,
  {account, policy, now}: {readonly account: string; readonly policy: string; readonly now: Date},
): void {
  const fitting = new Map<string, Change[]>();
  for (const change of changes) {
    const before = fitting.get(change.kind) ?? [];
    fitting.set(change.kind, before);
    const {until} = change;
    const ended = until !== undefined && isOver(until, now) ? `the policy asks for it only${overText(until)}` : undefined;
    const why = ended ?? changingOf(change.kind).misfit(change, state, before);
    before.push(change);
    if (why === undefined) continue;
    throw guarded(
      `The plan does not fit ${whoseText({account, server: state.server})}: ${shownChange(change)}: ${why}; nothing was sent`,
      `make a new plan: ${adviceOf().onPolicy('plan', policy)}`,
    );
  }
}
