import {report} from '../../api/report.js';
import {factsOf} from '../../api/schema.js';
import {membershipOf} from '../messaging.js';
import {plainRefusal, type Refusal} from '../refusal.js';
import {route, type Route} from '../route.js';
import type {World} from '../world.js';

const reasons = factsOf(report.body.report_type)?.known ?? [];

/** In bytes, which are counted after invisible characters are removed and runs of spaces are shortened to one. */
const maxMessageLength = 255;

const refuse = (msg: string, error_code: string): Refusal => plainRefusal(400, {msg, code: 400, error_code});

const invalidParameters = (): Refusal => refuse('Invalid or missing parameters', 'ERROR_INVALID_PARAMS');

/** The author of what is reported; undefined when the viewer cannot see it. */
function authorOf(world: World, viewerId: string, type: string, id: string): string | undefined {
  if (type === 'user') return world.accounts.get(id)?.id;
  const post = type === 'post' ? world.posts.get(id) : undefined;
  if (post !== undefined || type === 'story' || !world.facts.is2026) return post?.account.id;
  const seen = [...world.conversations.values()].filter((conversation) => membershipOf(conversation, viewerId));
  return seen.flatMap(({messages}) => messages).find((message) => message.id === id)?.sender_id;
}

export const routes: readonly Route[] = [
  route(
    report,
    ({world, text, viewer}) => {
      const {is2026} = world.facts;
      const [reason, type, id] = [text('report_type'), text('object_type'), text('object_id')];
      if (!reason || !type || !id) throw invalidParameters();
      const unknownType = (code: string) => (is2026 ? invalidParameters() : refuse('Invalid report type', code));
      if (!reasons.includes(reason)) throw unknownType('ERROR_TYPE_INVALID');
      const types = ['post', 'user', 'story', ...(is2026 ? ['direct_message'] : [])];
      if (!types.includes(type)) throw unknownType('ERROR_REPORT_OBJECT_TYPE_INVALID');
      if (is2026) {
        if (!/^[1-9]\d*$/.test(id)) throw invalidParameters();
        const message = text('message')
          .replace(/[\p{Cc}\p{Cf}]/gu, '')
          .replace(/\s+/g, ' ');
        if (Buffer.byteLength(message) > maxMessageLength) throw refuse('Message is too long', 'ERROR_MESSAGE_TOO_LONG');
      }
      const author = authorOf(world, viewer.id, type, id);
      if (author === undefined) throw refuse('Invalid object id', 'ERROR_INVALID_OBJECT_ID');
      if (author === viewer.id) throw refuse('Cannot self report', 'ERROR_NO_SELF_REPORTS');
      if (world.reports.list().some((one) => one.by === viewer && one.type === type && one.id === id))
        throw refuse('Duplicate report', 'ERROR_REPORT_DUPLICATE');
      // Servers before 2026 do not store the message.
      const message = (is2026 && text('message')) || null;
      world.report({by: viewer, reason, message, type, id});
      return {body: {msg: 'Successfully sent report', code: 200}};
    },
    {onlyRules: {}},
  ),
];
