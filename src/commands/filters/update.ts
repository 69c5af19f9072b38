import {Failure} from '../../lib/client/failure.js';
import {endpointCommand} from '../../lib/cli/endpoint-command.js';
import {changeFlags, changedKeywords, endOf, expiryFlag, keywordFlags} from '../../lib/cli/filter-flags.js';
import {expiresIn, filterUpdate, keywordEntries} from '../../lib/operations/filters.js';

export default endpointCommand({
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
  own: {
    flags: {'expires-in': expiryFlag, ...keywordFlags, ...changeFlags},
    apply(input, flags) {
      const keywords = keywordEntries(changedKeywords(input.body['keywords_attributes'], flags), flags['whole-word']);
      const body = {...input.body, ...expiresIn(endOf(flags['expires-in']), 'existing filter'), ...keywords};
      if (Object.keys(body).length > 0) return {...input, body};
      throw new Failure('usage', 'There is nothing to change', {hint: 'see `pixelctl filters update --help`'});
    },
  },
});
