import type {Authorizations} from '../authorizations.js';
import type {GenerationFacts} from '../generation.js';
import type {Route} from '../route.js';
import {accountRoutes} from './accounts.js';
import {blockRoutes} from './blocks.js';
import {configRoutes, instanceRoutes} from './config.js';
import {conversationRoutes} from './conversations.js';
import {filterRoutes} from './filters.js';
import {mediaRoutes} from './media.js';
import {messageRoutes} from './messages.js';
import {notificationRoutes} from './notifications.js';
import {oauthRoutes} from './oauth.js';
import {pushRoutes} from './push.js';
import {recipientRoutes} from './recipients.js';
import {reportRoutes} from './report.js';
import {threadRoutes} from './thread.js';

/** The routes that a generation has. */
export const routesOf = (facts: GenerationFacts, authorizations: Authorizations): readonly Route[] => [
  ...(facts.conversations ? [...conversationRoutes, ...messageRoutes, ...configRoutes] : []),
  ...recipientRoutes,
  ...threadRoutes,
  ...blockRoutes,
  ...filterRoutes,
  ...reportRoutes,
  ...pushRoutes,
  ...notificationRoutes,
  ...accountRoutes,
  ...mediaRoutes,
  ...instanceRoutes,
  ...oauthRoutes(facts, authorizations),
];
