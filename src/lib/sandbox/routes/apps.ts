/** Around the API description: programs introduce themselves, and ask who they are. */
import {unescape} from 'node:querystring';
import {registerApp, verifyApp} from '../../api/internal.js';
import type {Authorizations} from '../authorizations.js';
import {textOf} from '../fields.js';
import type {GenerationFacts} from '../generation.js';
import {abort} from '../refusal.js';
import {openRoute, route, type Route} from '../route.js';
import {required, validate} from '../rules.js';

/** One a line, and decoded: a plus becomes a space. */
const redirectUrisIn = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => unescape(line.trim().replaceAll('+', ' ')))
    .filter((uri) => uri !== '');

export const appRoutes = ({scopeOfClient}: GenerationFacts, authorizations: Authorizations): readonly Route[] => [
  openRoute(registerApp, ({fields}) => {
    validate(fields, {client_name: [required], redirect_uris: [required]});
    const {id, name, secret, redirectUris} = authorizations.register(
      textOf(fields['client_name']) ?? '',
      redirectUrisIn(textOf(fields['redirect_uris']) ?? ''),
    );
    return {
      body: {
        id,
        name,
        website: null,
        redirect_uri: redirectUris.join(','),
        client_id: id,
        client_secret: secret,
        vapid_key: null,
      },
      style: {plainSlashes: true},
    };
  }),

  route({...verifyApp, scope: scopeOfClient}, ({client}) => {
    if (client === null) throw abort(403);
    return {body: {name: client, website: null, vapid_key: null}, style: {plainSlashes: true}};
  }),
];
