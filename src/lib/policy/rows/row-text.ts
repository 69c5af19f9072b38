/** Rows in JSON and in words: the one place where private comments are removed from them. */
import {Failure} from '../../client/failure.js';
import type {PlanHead, RowJson} from '../model/documents.js';
import {remember} from '../model/canonical.js';
import {type DomainFacts, optionalFields, publicFacts} from '../model/domain-facts.js';
import {isBlock, isFilter, textOf, type Value} from '../model/value.js';
import {commandText} from '../../files/command-text.js';
import type {Comparison} from './compare.js';
import {leftoverRule, sideText} from './rows.js';
import {type ByHand, type Kind, kindName, type Row, shownName} from '../sections/policy-kind.js';
import {type Shown, suggest} from './target.js';
import {countNoun, firstOf} from '../../json/text.js';

export const subjectOf = (row: Pick<Row, 'kind' | 'name'>, host: string): string =>
  row.kind.section.noun === 'account' ? shownName(row, host).replace(/^@/, '') : row.name;

/** `account block @ana` */
export const shownItem = (row: Pick<Row, 'kind' | 'name'>, host: string): string => `${row.kind.item} ${shownName(row, host)}`;

const verbs = {add: 'add', remove: 'remove', update: 'update', cannot: 'change', held: 'change'} as const;

/** The name of a row among results: `add account block @ana`. */
export const resultName = (row: Row, host: string): string => `${verbs[row.action]} ${shownItem(row, host)}`;

/** `lifted by hand since the apply of 2026-11-20` */
export function byHandText({set, found, since}: ByHand): string {
  const how = found === null ? 'lifted by hand' : `made weaker by hand (${set} → ${found})`;
  return `${how} since the apply of ${since.slice(0, 10)}`;
}

export function sidesOf({action, has, want, kind, texts}: Row, showsPrivate = false): {readonly wanted: string; readonly actual: string} {
  if (texts !== undefined) return texts;
  const side = (value: Value | null, other: Value | null) => {
    if (value === null) return `not ${kind.done}`;
    if (action === 'update' && other !== null) return sideText(kind, value, other, showsPrivate);
    return isFilter(value) ? textOf(kind, value) : kind.done;
  };
  if (action === 'add') return {wanted: side(want, null), actual: side(null, null)};
  if (action === 'remove') return {wanted: side(null, null), actual: kind.done};
  const isOther = !showsPrivate && isBlock(has) && isBlock(want) && has.private_comment !== want.private_comment;
  return {wanted: `${side(want, has)}${isOther ? ', another private comment' : ''}`, actual: side(has, want)};
}

/** The command that makes the change of a row, an apply where a change has details, or another way to fix the difference. */
export function fixOf(row: Row, {advice, policy, host}: Shown): string {
  if (row.texts !== undefined) return row.texts.fix;
  const hasDetails = [row.has, row.want].some((value) => value !== null && value !== true);
  if (hasDetails) return suggest({advice, policy}, 'apply');
  return commandText(`${row.kind.key.replaceAll('_', '-')} ${row.action}`, {args: [shownName(row, host)], flags: advice.account});
}

export function rowJson(row: Row, shown: Shown): RowJson {
  const {action, kind, why, want, byHand} = row;
  const facts = action !== 'add' ? undefined : isBlock(want) ? want : row.facts;
  const details = facts && detailsJson(facts);
  return {
    action: action === 'held' ? 'cannot' : action,
    kind: kindName(kind),
    subject: subjectOf(row, shown.host),
    rule: why.rule,
    where: why.where,
    ...sidesOf(row),
    fix: fixOf(row, shown),
    // Here private comments are left out, unless they are asked for.
    ...(details && {details: shown.showsPrivate === true ? details : publicFacts(details)}),
    ...(why.lists && {lists: why.lists}),
    ...(byHand && {by_hand: byHand}),
  };
}

/** Severity, comments and flags of a domain in JSON. */
const detailsJson = remember((facts: DomainFacts): DomainFacts => {
  const said = optionalFields.filter((name) => facts[name] !== undefined);
  return {severity: facts.severity, ...Object.fromEntries(said.map((name) => [name, facts[name]]))};
});

/** Why an item is left as it is, and how it stays so for good if somebody changed it by hand. */
export function heldText(row: Row, {advice, policy, host}: Pick<Shown, 'advice' | 'host' | 'policy'>): string {
  const {says = '', byHand, has, isAsked} = row;
  if (byHand === undefined) return says;
  // Once it is forgotten, apply makes a filter exactly as the policy says, while it never weakens a block.
  if (isFilter(has) && isAsked) return `${says}; to leave it so for good, write it in the policy`;
  const flags = {state: advice.policy['state'], ...advice.account};
  return `${says}; to leave it so: ${commandText('state forget', {args: [policy, shownName(row, host)], flags})}`;
}

/** What audits and plans leave as it is, and the kinds that could not be read. */
export const skippedJson = ({held, unread, ...shown}: Shown & Pick<Comparison, 'held' | 'unread'>): PlanHead['skipped'] => [
  ...held.map((row) => ({
    kind: kindName(row.kind),
    ...(row.name !== '' && {subject: subjectOf(row, shown.host)}),
    why: heldText(row, shown),
    ...((row.how === 'covered' || row.how === 'limit') && {code: row.how}),
    rule: row.why.rule,
    where: row.why.where,
  })),
  ...unread.map(({kind, failure: {message: why, code}}) => ({kind: kindName(kind), why, code})),
];

/** The reason of a row: the rule, and the lines that ask for it. */
export function reasonText({why: {rule, where, lists}}: Row): string {
  if (rule === leftoverRule || rule === 'undo') return where;
  return `${rule}: ${lists === undefined ? where : lists.join(', ')}`;
}

/** The most names that one line has. */
export const maxNamed = 3;

const heldWords = {covered: 'Covered', kept: 'Kept', limit: 'Held back'} as const;

/** Says which items are left as they are, in one line for all names with the same reason. */
export function heldTexts(shown: Pick<Shown, 'advice' | 'host' | 'policy'> & Pick<Comparison, 'held'>): string[] {
  const groups = Map.groupBy(shown.held, (row) => JSON.stringify([row.kind.key, heldText(row, shown), row.why.rule, row.how]));
  return Array.from(groups.values(), (all) => {
    const [first] = all;
    if (first === undefined) return '';
    const names = all.flatMap((row) => (row.name === '' ? [] : shownName(row, shown.host)));
    return `${heldWords[first.how ?? 'limit']}: ${first.kind.item}${names.length > 1 ? 's' : ''}${names.length === 0 ? '' : ` ${firstOf(names, maxNamed)}`}: ${heldText(first, shown)}`;
  });
}

/**
 * What people are told of differences: the first line says what there is, the others what to do about it. Programs get the same as a
 * message and a hint. Undefined where there is nothing to tell.
 */
export function differenceFailure(closing: readonly string[]): Failure | undefined {
  const [what, ...next] = closing;
  if (what === undefined) return undefined;
  // Several commands on one line need backticks, or nobody could tell where one ends.
  const hint = next.map((line) => `${line.charAt(0).toLowerCase()}${line.slice(1)}`.replace(/: (pixelctl .+)$/, ': `$1`')).join('; ');
  return new Failure('drift', what.replace(/\.$/, ''), {closing, ...(hint !== '' && {hint})});
}

/** `2 domain blocks, 1 filter`, in the order of their first ones. */
export function kindsText(all: Iterable<Iterable<{readonly kind: Pick<Kind, 'item'>}>>): string {
  const counts = new Map<string, number>();
  for (const rows of all) for (const {kind} of rows) counts.set(kind.item, (counts.get(kind.item) ?? 0) + 1);
  return Array.from(counts, ([item, count]) => countNoun(count, item)).join(', ');
}
