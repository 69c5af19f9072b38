/** Section 4.1: whom one can write to. */
import {listMutuals, lookUpRecipients} from '../../api/direct.js';
import {textOf} from '../fields.js';
import {compareIds} from '../paging.js';
import {acctOf, nativeAccount} from '../payload/account.js';
import {route, type Call, type Route} from '../route.js';
import {max, min, required, string, validate} from '../rules.js';
import type {Account} from '../model.js';

const mutualsShown = 10;
const matchesShown = 8;

/** Everybody but the viewer and those blocked either way, oldest account first. */
function reachable({world, viewer}: Call): readonly Account[] {
  return [...world.accounts.values()]
    .filter(({id}) => id !== viewer.id && !world.isBlockedEitherWay(viewer.id, id))
    .toSorted((one, other) => compareIds(one.id, other.id));
}

function matches(call: Call, query: string, remote: boolean): readonly Account[] {
  const name = query.replace(/^@/, '').toLowerCase();
  if (name.includes('@')) {
    const local = name.endsWith(`@${call.world.host}`) ? name.slice(0, name.indexOf('@')) : name;
    return reachable(call).filter((account) => acctOf(account).toLowerCase() === local);
  }
  if (name.length < 2 || (remote && !query.includes('.'))) return [];
  return reachable(call).filter((account) => acctOf(account).toLowerCase().includes(name));
}

export const recipientRoutes: readonly Route[] = [
  // The cursor is not read: it is the first ten, whatever one asks for.
  route(listMutuals, ({world, viewer}) => {
    const mutuals = [...world.accounts.values()]
      .filter(({id}) => world.isMutual(viewer.id, id))
      .toSorted((one, other) => compareIds(one.id, other.id));
    const shown = mutuals.slice(0, mutualsShown);
    const last = mutuals.length > shown.length ? shown.at(-1) : undefined;
    return {
      body: {
        data: shown.map((account) => nativeAccount(world, account)),
        has_more: last !== undefined,
        next_cursor: last ? BigInt(last.id) : null,
        total_count: mutuals.length,
      },
    };
  }),

  route(lookUpRecipients, (call) => {
    validate(call.fields, {q: [required, string, min(2), max(50)]});
    const remote = textOf(call.fields['remote']);
    // Any text but "0" is yes, "false" too.
    const isRemote = remote !== null && remote !== '0' && call.fields['remote'] !== false;
    const found = matches(call, textOf(call.fields['q']) ?? '', isRemote).slice(0, matchesShown);
    return {
      body: found.map((account) => {
        const entity = nativeAccount(call.world, account);
        return {
          local: account.domain === null,
          id: account.id,
          name: acctOf(account),
          privacy: true,
          avatar: entity['avatar'],
          account: entity,
        };
      }),
    };
  }),
];
