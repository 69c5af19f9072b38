/** What a question names: the title of a filter, the people of a conversation. */
import {getConversation} from '../api/direct.js';
import {getFilter} from '../api/filters.js';
import {plan} from '../client/encode.js';
import type {Draft} from './endpoint-command.js';
import type {Session} from './session.js';

const mostNamed = 5;

/** The first few of many. */
export function someOf(names: readonly string[]): string {
  const rest = names.length - mostNamed;
  return rest > 0 ? `${names.slice(0, mostNamed).join(', ')} and ${rest} more` : names.join(', ');
}

export async function conversationTitle(draft: Draft | undefined, session: Session): Promise<string> {
  const {host} = session.client;
  if (draft === undefined) return `the conversation on ${host}`;
  const {id} = draft.path;
  const {value} = await session.client.send(plan(getConversation, {path: {id}}), getConversation.output);
  const people = (value.participants ?? []).map(({acct}) => `@${acct}`);
  return `the conversation with ${people.length === 0 ? 'nobody' : someOf(people)} on ${host}`;
}

export async function filterTitles(drafts: readonly Draft[], session: Session): Promise<string> {
  const named = await Promise.all(
    drafts.slice(0, mostNamed).map(async ({path}) => {
      const {value} = await session.client.send(plan(getFilter, {path: {id: path['id']}}), getFilter.output);
      return `“${value.title}” (${path['id']})`;
    }),
  );
  const rest = drafts.length - named.length;
  return `the ${drafts.length === 1 ? 'filter' : 'filters'} ${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
