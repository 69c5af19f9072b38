import {Failure} from '../../lib/client/failure.js';
import {isAddress} from '../../lib/client/request.js';
import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';
import {someOf, targetLines} from '../../lib/cli/endpoint/titles.js';
import {countNoun} from '../../lib/json/text.js';
import {postActions, postModeration} from '../../lib/operations/posts.js';
import type {FullInput} from '../../lib/operations/operation.js';

/** The flags that say what to do, as they were given: `--no-cw`. */
const flagsIn = ({body}: FullInput): string[] =>
  postActions.flatMap((name) => (body[name] === undefined ? [] : `--${body[name] === false ? 'no-' : ''}${name.replace('_', '-')}`));

/** The question about an action that can be taken back. */
function changeOf({body: {cw, visibility}}: FullInput, posts: string): string {
  if (visibility !== undefined) return `Make ${posts} ${String(visibility)}`;
  return cw === true ? `Mark ${posts} as sensitive` : `Stop marking ${posts} as sensitive`;
}

export default endpointCommand({
  endpoint: postModeration,
  summary: 'Mark posts as sensitive, hide or delete them, or mark their authors as spammers',
  description:
    'For admins of a Pixelfed server. Give exactly one of --cw, --no-cw, --visibility, --delete and --mark-spammer. --delete and --mark-spammer cannot be undone.',
  details:
    'It also works on posts of other servers. Name posts by their ids or by their addresses on this server, or pipe in reports, entries of the spam filter or posts. --save records the earlier visibility, which is otherwise lost. Of a post that you cannot read, the author comes from the piped report or entry, or from the record; if nothing tells, --yes needs its address. With --delete and --mark-spammer, --yes needs --allow-deletions N, and posts are handled one after the other, at most one per second unless --rate says otherwise.',
  examples: [
    {does: 'Mark a post as sensitive', line: 'posts moderate https://pix.example/p/bob/1029249433829986328 --cw'},
    {
      does: 'Take all reported posts off the public timelines',
      line: 'pixelctl reports list --all -o ndjson | pixelctl posts moderate - --visibility unlisted --skip-invalid --yes',
    },
    {does: 'Delete a post, and keep a record of it', line: 'posts moderate 1029249433829986328 --delete --save deleted.ndjson'},
  ],
  targets: {id: 'POST'},
  negatable: ['cw'],
  own: {
    flags: {},
    apply(input) {
      const given = flagsIn(input);
      if (given.length === 1) return input;
      const all = '--cw, --no-cw, --visibility, --delete or --mark-spammer';
      const problem = given.length === 0 ? `Missing: ${all}` : `${given.join(' and ')} cannot be used together`;
      throw new Failure('usage', problem, {hint: 'see `pixelctl posts moderate --help`'});
    },
  },
  question({inputs: [first], found = []}, {server, session}) {
    if (first === undefined) return '';
    const {body} = first;
    const isSpammer = body['mark_spammer'] === true;
    if (!isSpammer && body['delete'] !== true) return `${changeOf(first, someOf(found.map(({name}) => name)))} on ${server.host}?`;
    const what = isSpammer
      ? `Mark ${countNoun(found.length, 'person', 'people')} on ${server.host} as spammers, and make everything that they posted private and sensitive`
      : `Delete ${countNoun(found.length, 'post')} on ${server.host}`;
    return [...targetLines(found, session), `${what}? This cannot be undone.`].join('\n');
  },
  sentence({path: {id}, body}, {name}) {
    const {cw, visibility} = body;
    if (body['mark_spammer'] === true) return `Marked ${name} as a spammer, and made everything that they posted private and sensitive.`;
    const post = isAddress(String(id)) ? String(id) : `post ${String(id)}`;
    if (body['delete'] === true) return `Deleted ${post}.`;
    if (visibility !== undefined) return `Made ${post} ${String(visibility)}.`;
    return `${cw === true ? 'Marked' : 'Stopped marking'} ${post} as sensitive.`;
  },
});
