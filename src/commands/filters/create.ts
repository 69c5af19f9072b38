import {joinFlags} from '../../lib/cli/flags.js';
import {createFilter} from '../../lib/api/filters.js';
import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';
import {madeWords, titleAfter} from '../../lib/cli/endpoint/sentences.js';
import {addedKeywords, endOf, expiryFlag, keywordFlags} from '../../lib/cli/endpoint/filter-flags.js';
import {expiresIn, keywordEntries} from '../../lib/operations/filters.js';

export default endpointCommand({
  endpoint: createFilter,
  summary: 'Create a filter',
  description:
    'Servers trim keywords and store them in lower case, accept each keyword in one filter only, and allow about 20 filters of 10 keywords, and 20 new filters per hour.',
  examples: [
    {does: 'Warn about spoilers', line: 'filters create --title Spoilers --context home,public --keyword spoiler'},
    {
      does: 'Hide posts with two keywords for a week, also as parts of words',
      line: 'filters create --title Election --context home --action hide --keyword vote --keyword poll --no-whole-word --expires-in 7d',
    },
    {does: 'Create a filter from a file', line: 'filters create --input filter.json'},
  ],
  flags: {filter_action: 'action'},
  made: {expires_in: 'expires-in', keywords_attributes: 'keyword'},
  own: {
    flags: joinFlags({'expires-in': expiryFlag}, keywordFlags),
    apply(input, flags) {
      const keywords = keywordEntries(addedKeywords(input.body['keywords_attributes'], flags), flags['whole-word']);
      return {...input, body: {...input.body, ...expiresIn(endOf(flags['expires-in']), 'new filter'), ...keywords}};
    },
  },
  sentence: ({body: {title}}, {answer}) => `Created ${madeWords('filter', answer)}${titleAfter(title, answer)}.`,
});
