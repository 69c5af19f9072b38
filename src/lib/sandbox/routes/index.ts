/** Every route of the sandbox. */
import type {Route} from '../route.js';
import {routes as adminDomainBlocks} from './admin-domain-blocks.js';
import {routes as adminSettings} from './admin-settings.js';
import {routes as adminStatistics} from './admin-statistics.js';
import {routes as autospam} from './autospam.js';
import {routes as blocks} from './blocks.js';
import {routes as config} from './config.js';
import {routes as direct} from './direct.js';
import {routes as filters} from './filters.js';
import {routes as instances} from './instances.js';
import {routes as internal} from './internal.js';
import {routes as moderationReports} from './moderation-reports.js';
import {routes as notifications} from './notifications.js';
import {routes as oauth} from './oauth.js';
import {routes as posts} from './posts.js';
import {routes as push} from './push.js';
import {routes as report} from './report.js';
import {routes as storage} from './storage.js';
import {routes as thread} from './thread.js';
import {routes as users} from './users.js';

export const routes: readonly Route[] = Object.values({
  adminDomainBlocks,
  adminSettings,
  adminStatistics,
  autospam,
  blocks,
  config,
  direct,
  filters,
  instances,
  internal,
  moderationReports,
  notifications,
  oauth,
  posts,
  push,
  report,
  storage,
  thread,
  users,
}).flat();
