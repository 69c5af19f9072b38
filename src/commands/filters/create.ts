import {createFilter} from '../../lib/api/filters.js';
import {endpointCommand, type Draft} from '../../lib/cli/endpoint-command.js';
import {addedKeywords, endOf, expiryFlag, keywordFlags, wholeWord} from '../../lib/cli/filter-keywords.js';
import type {Typed} from '../../lib/cli/command.js';
import {expiresIn, keywordEntries} from '../../lib/operations/filters.js';

export default class FiltersCreate extends endpointCommand({
  endpoint: createFilter,
  summary: 'Create a filter',
  description:
    'Servers keep keywords in lower case and trimmed, take each keyword in one filter only, and allow some 20 filters of 10 keywords, and 20 new ones an hour.',
  examples: [
    {does: 'Warn of spoilers', line: 'filters create --title Spoilers --context home,public --keyword spoiler'},
    {
      does: 'Hide two keywords for a week, parts of words too',
      line: 'filters create --title Election --context home --action hide --keyword vote --keyword poll --no-whole-word --expires-in 7d',
    },
    {does: 'From a file', line: 'filters create --input filter.json'},
  ],
  flags: {filter_action: 'action'},
  made: {expires_in: 'expires-in', keywords_attributes: 'keyword'},
  ownFlags: {'expires-in': expiryFlag, ...keywordFlags},
}) {
  protected override async draft(typed: Typed): Promise<Draft> {
    const draft = await super.draft(typed);
    const keywords = keywordEntries(addedKeywords(draft.body['keywords_attributes'], typed), wholeWord(typed));
    return {...draft, body: {...draft.body, ...expiresIn(endOf(typed), 'new filter'), ...keywords}};
  }
}
