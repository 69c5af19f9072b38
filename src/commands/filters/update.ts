import {Failure} from '../../lib/client/failure.js';
import {endpointCommand, type Draft} from '../../lib/cli/endpoint-command.js';
import {changeFlags, changedKeywords, endOf, expiryFlag, keywordFlags, wholeWord} from '../../lib/cli/filter-keywords.js';
import type {Typed} from '../../lib/cli/command.js';
import {expiresIn, filterUpdate, keywordEntries} from '../../lib/operations/filters.js';

export default class FiltersUpdate extends endpointCommand({
  endpoint: filterUpdate,
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
    const keywords = keywordEntries(changedKeywords(draft.body['keywords_attributes'], typed), wholeWord(typed));
    const body = {...draft.body, ...expiresIn(endOf(typed), 'existing filter'), ...keywords};
    if (Object.keys(body).length > 0) return {...draft, body};
    throw new Failure('usage', 'There is nothing to change', {hint: 'see `pixelctl filters update --help`'});
  }
}
