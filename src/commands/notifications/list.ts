import {listNotifications} from '../../lib/api/notifications.js';
import {factsOf} from '../../lib/api/schema.js';
import {Failure} from '../../lib/client/failure.js';
import {repeatable} from '../../lib/cli/flags.js';
import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';

const knownTypes = factsOf(listNotifications.query.types)?.known ?? [];

export default endpointCommand({
  endpoint: listNotifications,
  summary: 'List notifications',
  description:
    'The newest notification comes first. A page can be short or empty although more follow, because servers filter it after they have counted it.',
  details:
    'Servers cannot leave out types. With --exclude-type, all other types that pixelctl knows are requested, so types that it does not know are left out as well.',
  examples: [
    {does: 'List mentions and follows only', line: 'notifications list --type mention,follow'},
    {does: 'List everything but favourites and follows', line: 'notifications list --exclude-type favourite,follow'},
    {
      does: 'Follow notifications from where the last run stopped, and stop after three',
      line: 'notifications list --follow --since-file last-seen --min-id 1 --max 3 -o ndjson',
    },
  ],
  flags: {types: 'type'},
  own: {
    flags: {
      'exclude-type': repeatable('no notifications of this type', 'TYPE', {options: [...knownTypes], delimiter: ','}),
    },
    apply(input, {'exclude-type': excluded}) {
      if (excluded === undefined) return input;
      if (input.query['types'] !== undefined) throw new Failure('usage', '--type and --exclude-type cannot be used together');
      const types = knownTypes.filter((type) => !excluded.includes(type));
      if (types.length > 0) return {...input, query: {...input.query, types}};
      throw new Failure('usage', 'Nothing to list: --exclude-type names every known type');
    },
  },
  follows: true,
});
