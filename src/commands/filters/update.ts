import {getFilter, updateFilter} from '../../lib/api/filters.js';
import type {Answer} from '../../lib/client/answer.js';
import {requestFor} from '../../lib/client/request.js';
import {Failure} from '../../lib/client/failure.js';
import type {Connection} from '../../lib/cli/connection.js';
import {endpointCommand, type Draft} from '../../lib/cli/endpoint-command.js';
import {changeFlags, changedKeywords, expiry, expiryFlag, keywordFlags} from '../../lib/cli/input/filter-keywords.js';
import type {Typed} from '../../lib/cli/pixelctl-command.js';
import {identifierAt, itemsAt} from '../../lib/json/path.js';

/** Whether the server refused an update only because it names no keyword. */
function demandsKeywords(error: unknown, {body}: Draft): boolean {
  const isRefusal = error instanceof Failure && error.code === 'refused';
  return isRefusal && body['keywords_attributes'] === undefined && error.details.fields?.includes('keywords_attributes') === true;
}

export default class FiltersUpdate extends endpointCommand({
  endpoint: updateFilter,
  summary: 'Change a filter',
  description:
    'What is not given keeps its value, keywords too: --keyword adds, the other keyword flags change or remove the one they name. `filters get` shows the ids of keywords. Servers allow some 40 updates an hour.',
  examples: [
    {does: 'Another title, and no end', line: "filters update 5 --title 'Film spoilers' --expires-in never"},
    {does: 'One keyword more, one less', line: 'filters update 5 --keyword finale --remove-keyword 12'},
    {does: 'Correct a keyword', line: 'filters update 5 --rename-keyword 12=spoilers --whole-word-of 12=false'},
  ],
  arguments: {id: 'ID'},
  flags: {filter_action: 'action'},
  made: {expires_in: 'expires-in', keywords_attributes: 'keyword'},
  ownFlags: {'expires-in': expiryFlag, ...keywordFlags, ...changeFlags},
}) {
  protected override async draft(typed: Typed): Promise<Draft> {
    const draft = await super.draft(typed);
    const keywords = changedKeywords(draft.body['keywords_attributes'], typed);
    const body = {...draft.body, ...expiry(typed, 'send 0'), ...(keywords.length > 0 && {keywords_attributes: keywords})};
    if (Object.keys(body).length > 0) return {...draft, body};
    throw new Failure('usage', 'There is nothing to change', {hint: 'see `pixelctl filters update --help`'});
  }

  /** The documented request first; a server that demands keywords gets one that the filter has, unchanged. */
  protected override async exchange(draft: Draft, connection: Connection): Promise<Answer> {
    return super.exchange(draft, connection).catch(async (error: unknown) => {
      if (!demandsKeywords(error, draft)) throw error;
      const {text, value} = await connection.client.send(requestFor(getFilter, {path: draft.path}), getFilter.output());
      const keywords = itemsAt(value, ['keywords']);
      const id = (keywords ?? []).map((_, index) => identifierAt(text, ['keywords', index, 'id'])).find((one) => /^\d+$/.test(one ?? ''));
      if (keywords?.length === 0) {
        throw new Failure('refused', 'This server changes a filter only together with a keyword, and the filter has none', {
          hint: 'add one with --keyword',
        });
      }
      if (id === undefined) throw error;
      const body = {...draft.body, keywords_attributes: [{id: Number(id)}]};
      return super.exchange({...draft, body}, connection);
    });
  }
}
