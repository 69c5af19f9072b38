/** Every record. Written by `npm run generate` from the files beside it: do not edit. */
import type {Endpoint} from './endpoint.js';
import * as adminDomainBlocks from './admin-domain-blocks.js';
import * as adminSettings from './admin-settings.js';
import * as adminStatistics from './admin-statistics.js';
import * as autospam from './autospam.js';
import * as blocks from './blocks.js';
import * as config from './config.js';
import * as direct from './direct.js';
import * as filters from './filters.js';
import * as instances from './instances.js';
import * as internal from './internal.js';
import * as moderationReports from './moderation-reports.js';
import * as notifications from './notifications.js';
import * as posts from './posts.js';
import * as push from './push.js';
import * as report from './report.js';
import * as thread from './thread.js';
import * as users from './users.js';

export * from './admin-domain-blocks.js';
export * from './admin-settings.js';
export * from './admin-statistics.js';
export * from './autospam.js';
export * from './blocks.js';
export * from './config.js';
export * from './direct.js';
export * from './filters.js';
export * from './instances.js';
export * from './internal.js';
export * from './moderation-reports.js';
export * from './notifications.js';
export * from './posts.js';
export * from './push.js';
export * from './report.js';
export * from './thread.js';
export * from './users.js';

const records = Object.values<Endpoint>({
  ...adminDomainBlocks,
  ...adminSettings,
  ...adminStatistics,
  ...autospam,
  ...blocks,
  ...config,
  ...direct,
  ...filters,
  ...instances,
  ...internal,
  ...moderationReports,
  ...notifications,
  ...posts,
  ...push,
  ...report,
  ...thread,
  ...users,
});

/** Every endpoint that has a command. For what needs them all: commands import their own. */
export const endpoints: readonly Endpoint[] = records.filter(({internal}) => !internal);
