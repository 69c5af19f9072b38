import {joinFlags} from '../../lib/cli/flags.js';
import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';
import {titleAfter} from '../../lib/cli/endpoint/sentences.js';
import {keywordChangeFlags, changedKeywords, endOf, expiryFlag, keywordFlags} from '../../lib/cli/endpoint/filter-flags.js';
import {expiresIn, filterUpdate, keywordEntries} from '../../lib/operations/filters.js';

export default endpointCommand({
  endpoint: filterUpdate,
  summary: 'Update a filter',
  description:
    'Fields you omit keep their values. --keyword adds a keyword; the other keyword flags change or remove the keyword with that id, which `filters get` shows. Servers allow about 40 updates per hour.',
  examples: [
    {does: 'Change the title, and remove the expiry', line: "filters update 5 --title 'Film spoilers' --expires-in never"},
    {does: 'Add one keyword and remove another', line: 'filters update 5 --keyword finale --remove-keyword 12'},
    {does: 'Change the text of a keyword', line: 'filters update 5 --rename-keyword 12=spoilers --whole-word-of 12=false'},
  ],
  arguments: {id: 'ID'},
  flags: {filter_action: 'action'},
  changes: true,
  made: {expires_in: 'expires-in', keywords_attributes: 'keyword'},
  own: {
    flags: joinFlags({'expires-in': expiryFlag}, keywordFlags, keywordChangeFlags),
    apply(input, flags) {
      const keywords = keywordEntries(changedKeywords(input.body['keywords_attributes'], flags), flags['whole-word']);
      return {...input, body: {...input.body, ...expiresIn(endOf(flags['expires-in']), 'existing filter'), ...keywords}};
    },
  },
  sentence: ({path: {id}, body: {title}}, {answer}) => `Updated filter ${String(id)}${titleAfter(title, answer)}.`,
});
