import {setTimeout as sleep} from 'node:timers/promises';
import {RESPONSE_ALREADY_SENT} from '@hono/node-server/utils/response';
import {respond, type RequestContext} from './environment.js';
import type {Effect} from './fault.js';
import {abort, type Refusal} from './refusal.js';
import {page} from './render.js';

const statusTexts: Readonly<Record<number, string>> = {
  401: 'Unauthenticated.',
  500: 'Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

/** Makes a fault happen; the answer that it leads to, or nothing when the request goes on. */
export async function strike(
  context: RequestContext,
  effect: Effect,
  next: () => Promise<void>,
  closed: AbortSignal,
  refuse: (context: RequestContext, refusal: Refusal) => Response,
): Promise<Response | undefined> {
  switch (effect.kind) {
    case 'delay':
      await sleep(effect.milliseconds, undefined, {signal: closed});
      return undefined;
    case 'status':
      return refuse(context, abort(effect.status, statusTexts[effect.status] ?? ''));
    case 'rate-limit':
      return refuse(context, abort(429, 'Too Many Attempts.', {'retry-after': String(effect.seconds)}));
    case 'html':
      return respond(context, 200, {'content-type': 'text/html; charset=UTF-8'}, page('Welcome'));
    case 'drop':
      if (effect.carriedOut) await next();
      context.env.outgoing.destroy();
      context.set('dropped', true);
      return RESPONSE_ALREADY_SENT;
    case 'truncate':
      await next();
      await sendHalf(context);
      return RESPONSE_ALREADY_SENT;
  }
}

/** Announces all of the answer, sends half of it and ends the connection. */
async function sendHalf(context: RequestContext): Promise<void> {
  const {outgoing} = context.env;
  const bytes = Buffer.from(await context.res.arrayBuffer());
  outgoing.writeHead(context.res.status, {...Object.fromEntries(context.res.headers), 'content-length': bytes.length});
  await new Promise((resolve) => {
    outgoing.write(bytes.subarray(0, Math.floor(bytes.length / 2)), resolve);
  });
  outgoing.destroy();
}
