/** Around the API description: how programs get tokens of people. */
import type {Authorizations} from '../authorizations.js';
import type {GenerationFacts} from '../generation.js';
import {abort} from '../refusal.js';
import type {Route} from '../route.js';
import {appRoutes} from './apps.js';
import {authorizeRoutes} from './authorize.js';
import {tokenRoutes} from './token.js';

const whileOn = (route: Route): Route => ({
  ...route,
  answer: (call, viewer) => {
    if (!call.world.oauth) throw abort(404);
    return route.answer(call, viewer);
  },
});

export const oauthRoutes = (facts: GenerationFacts, authorizations: Authorizations): readonly Route[] =>
  [...appRoutes(facts, authorizations), ...authorizeRoutes(facts, authorizations), ...tokenRoutes(facts, authorizations)].map(whileOn);
