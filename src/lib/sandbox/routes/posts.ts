import {moderatePost} from '../../api/posts.js';
import {postPayload} from '../post-payloads.js';
import {plainRefusal} from '../refusal.js';
import {textOf} from '../received-request.js';
import {route, type RouteAnswer, type Route} from '../route.js';
import {validate} from '../rules.js';
import type {Post, World} from '../world.js';

function markSpammer(world: World, {author}: Post): void {
  const user = world.userOf(author);
  if (user !== undefined) Object.assign(user, {unlisted: true, cw: true, no_autolink: true});
  for (const post of world.posts.values()) if (post.author === author) Object.assign(post, {visibility: 'private', sensitive: true});
}

const visibilities: Readonly<Record<string, Post['visibility']>> = {
  'mark-public': 'public',
  'mark-unlisted': 'unlisted',
  'mark-private': 'private',
};

const actions = ['cw', ...Object.keys(visibilities), 'mark-spammer', 'delete'];

export const routes: readonly Route[] = [
  route(moderatePost, ({world, fields, part}): RouteAnswer => {
    validate(fields, {action: `required|in:${actions.join()}`});
    const [post, action] = [world.posts.get(part('id')), textOf(fields['action']) ?? ''];
    if (post === undefined) throw plainRefusal(400, {error: 'Cannot find status'});
    if (post.author.admin) throw plainRefusal(400, {error: 'Cannot moderate admin accounts'});
    if (action === 'delete') {
      world.posts.delete(post.id);
      return {body: []};
    }
    if (action === 'cw') post.sensitive = !post.sensitive;
    if (action === 'mark-spammer') markSpammer(world, post);
    post.visibility = visibilities[action] ?? post.visibility;
    return {body: postPayload(world, post)};
  }),
];
