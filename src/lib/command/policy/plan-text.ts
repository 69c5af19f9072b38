/** A plan as people read it: as a difference. */
import {styleText} from 'node:util';
import {inert} from '../../output/inert.js';
import type {Change, FilterAddition, FilterUpdate} from '../../policy/change.js';
import type {Finding} from '../../policy/finding.js';
import {placeText} from '../../policy/place.js';

const signs = {add: '+', remove: '-', update: '~'} as const;
const colors = {add: 'green', remove: 'red', update: 'yellow'} as const;
const kinds = {domain_block: 'domain block', filter: 'filter', push: 'push'} as const;

type Color = (typeof colors)[Change['action']] | 'dim';

function painted(color: Color, text: string, isColored: boolean): string {
  return isColored ? styleText(color, text, {validateStream: false}) : text;
}

function keywordText(keyword: string, wholeWord: boolean): string {
  return `“${keyword}”${wholeWord ? '' : ' (also inside words)'}`;
}

function additionText({context, filter_action, expires, keywords}: FilterAddition['details']): string[] {
  const all = keywords.map(({keyword, whole_word}) => keywordText(keyword, whole_word)).join(', ');
  return [
    ...(filter_action === undefined ? [] : [filter_action]),
    `in ${context.join(', ')}`,
    ...(expires === undefined ? [] : [endText(expires)]),
    all === '' ? 'no keywords' : all,
  ];
}

function endText(expires: string): string {
  return expires === 'never' ? 'never ends' : `ends ${/^\d{4}-/.test(expires) ? '' : 'in '}${expires}`;
}

function updateText({title, context, filter_action, expires, add, remove, change}: FilterUpdate['details']): string[] {
  return [
    ...(title === undefined ? [] : [`called “${title}”`]),
    ...(filter_action === undefined ? [] : [filter_action]),
    ...(context === undefined ? [] : [`in ${context.join(', ')}`]),
    ...(expires === undefined ? [] : [endText(expires)]),
    ...add.map(({keyword, whole_word}) => `+ ${keywordText(keyword, whole_word)}`),
    ...remove.map(({keyword}) => `- ${keywordText(keyword, true)}`),
    ...change.map(({keyword, whole_word}) => `~ ${keywordText(keyword, whole_word)}`),
  ];
}

function detailsText(change: Change): string {
  if (change.kind === 'push') return 'all of it off; the server forgets the device';
  if (change.kind === 'domain_block')
    return change.action === 'add' && change.details.covered_by !== undefined ? `below ${change.details.covered_by}` : '';
  if (change.action === 'add') return additionText(change.details).join('; ');
  return change.action === 'update' ? updateText(change.details).join('; ') : '';
}

/** What a change is called among results: `add domain block bad.example`. */
export function changeName({action, kind, subject}: Change): string {
  return `${action} ${kinds[kind]} ${subject}`;
}

function changeLine(change: Change, isColored: boolean): string {
  const {action, kind, subject, because} = change;
  const details = detailsText(change);
  const what = inert(`${signs[action]} ${kinds[kind]} ${subject}${details === '' ? '' : `: ${details}`}`);
  return `${painted(colors[action], what, isColored)}  ${painted('dim', inert(`# ${because}`), isColored)}`;
}

/** `2 to add, 1 to remove`. */
export function countsText(changes: readonly Change[]): string {
  const words = {add: 'add', remove: 'remove', update: 'change'} as const;
  const counts = (['add', 'remove', 'update'] as const).flatMap((action) => {
    const count = changes.filter((change) => change.action === action).length;
    return count === 0 ? [] : [`${count} to ${words[action]}`];
  });
  return counts.length === 0 ? 'nothing to do' : counts.join(', ');
}

/** The lines of changes, each ending in a line break. */
export function changesText(changes: readonly Change[], isColored: boolean): string {
  return changes.map((change) => `${changeLine(change, isColored)}\n`).join('');
}

/** What a plan leaves as it is. */
export function cannotText(cannot: readonly Finding[], isColored: boolean): string {
  return cannot
    .map(({kind, subject, wanted, actual, source, fix}) => {
      const what = inert(`! ${kind.replace('_', ' ')} ${subject}: is ${actual}, should be ${wanted}; ${fix}`);
      return `${painted('yellow', what, isColored)}  ${painted('dim', inert(`# ${placeText(source)}`), isColored)}\n`;
    })
    .join('');
}
