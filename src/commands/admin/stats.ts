import {getDailyStatistics, getStatistics} from '../../lib/api/admin-statistics.js';
import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';
import {numberFlag} from '../../lib/cli/flags.js';
import {overThresholds} from '../../lib/operations/statistics.js';

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
    judge(statistics, {'autospam-over': autospam, 'reports-over': reports}, {client}) {
      const thresholds = [
        {name: 'autospam_count', what: 'posts held back as spam', most: autospam, list: 'autospam list'},
        {name: 'reports', what: 'open reports', most: reports, list: 'reports list'},
      ];
      const asked = thresholds.flatMap(({most: limit, ...rest}) => (limit === undefined ? [] : {...rest, most: limit}));
      return overThresholds(statistics, asked, client.host);
    },
  },
});
