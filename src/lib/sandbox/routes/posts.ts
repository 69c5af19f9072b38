/** What admins do about posts. */
import {moderatePost} from '../../api/posts.js';
import {postPayload} from '../posts.js';
import {plainRefusal} from '../refusal.js';
import {textOf} from '../request.js';
import {route, type RouteAnswer, type Route} from '../route.js';
import {validate} from '../rules.js';
import type {Post, World} from '../world.js';

/** Sets all flags of the author, and hides everything that they posted. */
function markSpammer(world: World, {author}: Post): void {
  const user = world.userOf(author);
  if (user !== undefined) Object.assign(user, {unlisted: true, cw: true, noAutolink: true});
  for (const post of world.posts.values()) if (post.author === author) Object.assign(post, {visibility: 'private', sensitive: true});
}

/** Marking as sensitive toggles; the others set. */
const actions: Readonly<Record<string, (post: Post, world: World) => void>> = {
  cw: (post) => {
    post.sensitive = !post.sensitive;
  },
  'mark-public': (post) => {
    post.visibility = 'public';
  },
  'mark-unlisted': (post) => {
    post.visibility = 'unlisted';
  },
  'mark-private': (post) => {
    post.visibility = 'private';
  },
  'mark-spammer': (post, world) => markSpammer(world, post),
};

export const routes: readonly Route[] = [
  route(moderatePost, ({world, fields, part}): RouteAnswer => {
    validate(fields, {action: `required|in:${[...Object.keys(actions), 'delete'].join()}`});
    const [post, action] = [world.posts.get(part('id')), textOf(fields['action']) ?? ''];
    if (post === undefined) throw plainRefusal(400, {error: 'Cannot find status'});
    if (post.author.admin) throw plainRefusal(400, {error: 'Cannot moderate admin accounts'});
    if (action === 'delete') {
      world.posts.delete(post.id);
      return {body: []};
    }
    actions[action]?.(post, world);
    return {body: postPayload(world, post)};
  }),
];
