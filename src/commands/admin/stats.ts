import {getDailyStatistics, getStatistics} from '../../lib/api/admin-statistics.js';
import {membersOf} from '../../lib/api/schema.js';
import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';
import {numberFlag} from '../../lib/cli/flags.js';
import {Failure} from '../../lib/client/failure.js';
import {commandText} from '../../lib/files/command-text.js';
import {shorten} from '../../lib/json/text.js';

const units: Readonly<Record<string, number>> = {'': 1, K: 1e3, M: 1e6, B: 1e9, T: 1e12};

/** From a thousand on servers round: `1.1K` is anything from 1,050 to 1,149, and `1.0K` from 1,000. */
const written = /^(\d+|\d{1,3}(?:,\d{3})+)(?:\.(\d+))?([KMBT]?)$/i;

/** The least number that a server writes like this; undefined for a text that is no count. */
export function leastCount(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  const [, whole, fraction = '', unit = ''] = written.exec(typeof value === 'string' ? value.trim() : '') ?? [];
  const scale = units[unit.toUpperCase()];
  if (whole === undefined || scale === undefined) return undefined;
  const step = scale / 10 ** fraction.length;
  const middle = Number(whole.replaceAll(',', '') + fraction) * step;
  return scale === 1 ? middle : Math.max(scale, Math.ceil(middle - step / 2));
}

const thresholds = [
  {flag: 'autospam-over', name: 'autospam_count', what: 'posts held back as spam', list: 'autospam list'},
  {flag: 'reports-over', name: 'reports', what: 'open reports', list: 'reports list'},
] as const;

const maxShown = 40;

/**
 * The result where a number is over its threshold; else undefined.
 * @throws Failure `bad_answer` where one cannot be read as a number
 */
function overThresholds(
  statistics: unknown,
  flags: Readonly<Partial<Record<(typeof thresholds)[number]['flag'], number | undefined>>>,
  host: string,
): Failure | undefined {
  const over = thresholds.flatMap(({flag, name, what, list}) => {
    const [most, value] = [flags[flag], membersOf(statistics)[name]];
    if (most === undefined) return [];
    const least = leastCount(value);
    if (least === undefined) {
      const shown = shorten(JSON.stringify(value) ?? 'missing', maxShown);
      throw new Failure('bad_answer', `${host}: ${name} is not a number: ${shown}`, {reason: 'shape'});
    }
    return least > most ? [{words: `${String(value)} ${what} (more than ${most})`, list: `\`${commandText(list)}\``}] : [];
  });
  if (over.length === 0) return undefined;
  const [words, lists] = [over.map((one) => one.words), over.map((one) => one.list)];
  return new Failure('drift', `${host} has ${words.join(' and ')}`, {hint: `see ${lists.join(' and ')}`});
}

const most = (what: string) => numberFlag({description: `exit with 10 if there are more ${what}`, helpValue: 'N'}, {least: 0, whole: true});

export default endpointCommand({
  endpoint: getStatistics,
  instead: {
    flag: 'by-day',
    about: 'count people, posts and servers now, in total and for each of the last seven days',
    endpoint: getDailyStatistics,
  },
  summary: 'Count reports, held-back posts, people and servers',
  description:
    'For admins of a Pixelfed server. --autospam-over and --reports-over are for cron jobs: the exit status is 10 when there are more, and 8 when the server sends no number.',
  details:
    'The server keeps these numbers for 15 minutes to a day, and rounds them from 1,000 on. A rounded number counts as the least that it stands for: 1.1K as 1,050.',
  examples: [
    {does: 'Show the numbers', line: 'admin stats'},
    {does: 'Exit with 10 when more than 20 posts are held back as spam', line: 'admin stats --autospam-over 20 --quiet'},
    {does: 'Show the last seven days', line: 'admin stats --by-day'},
  ],
  own: {
    flags: {'autospam-over': most('posts held back as spam than this'), 'reports-over': most('open reports than this')},
    judge: (statistics, flags, {client}) => overThresholds(statistics, flags, client.host),
  },
});
