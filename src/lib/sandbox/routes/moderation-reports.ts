/** The queue of reports that the admins of a server work on. */
import {handleReport, listReports} from '../../api/moderation-reports.js';
import {nativeAccount, withMicroseconds} from '../account-payloads.js';
import {postPayload} from '../post-payloads.js';
import {abort, refuseUnknown} from '../refusal.js';
import {integerOf, textOf} from '../received-request.js';
import {route, type Route} from '../route.js';
import type {Post, Report, World} from '../world.js';

const pageSize = 6;

type Payload = Readonly<Record<string, unknown>>;

function reportPayload(world: World, {row, by, reason, message, type, id, createdAt}: Report): Payload {
  const [post, account] = [world.posts.get(id), world.accounts.get(id)];
  return {
    id: row,
    type: reason,
    message,
    object_id: BigInt(id),
    object_type: type === 'user' ? String.raw`App\Profile` : String.raw`App\Status`,
    created_at: withMicroseconds(createdAt),
    reported_by_account: nativeAccount(world, by),
    ...(post && {status: postPayload(world, post)}),
    ...(post?.parent && {parent: postPayload(world, post.parent)}),
    ...(account && {account: nativeAccount(world, account)}),
  };
}

/** Reports about deleted posts are left out after a page is cut, so that pages may be short. */
const isShown = ({posts}: World, {type, id}: Report): boolean => type !== 'post' || posts.has(id);

const actions: Readonly<Record<string, Partial<Post>>> = {ignore: {}, cw: {sensitive: true}, unlist: {visibility: 'unlisted'}};

export const routes: readonly Route[] = [
  route(listReports, ({world, fields}) => {
    const page = Math.max(1, integerOf(fields['page'], 1));
    const open = world.reports
      .list()
      .filter(({handled}) => !handled)
      .toReversed();
    const shown = open.slice((page - 1) * pageSize, page * pageSize).filter((report) => isShown(world, report));
    return {body: shown.map((report) => reportPayload(world, report))};
  }),

  route(handleReport, ({world, fields}) => {
    const [id, action] = [textOf(fields['id']), textOf(fields['action']) ?? ''];
    if (!Object.hasOwn(actions, action)) throw abort(403);
    const report = world.reports.get(Number(id));
    if (report === undefined) throw refuseUnknown('Report', id ?? '');
    const post = world.posts.get(report.id);
    if (action !== 'ignore' && post === undefined) throw abort(500, 'Attempt to read property "id" on null');
    if (post !== undefined) Object.assign(post, actions[action]);
    report.handled = true;
    return {body: {success: true}};
  }),
];
