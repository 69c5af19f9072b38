import type {Hook} from '@oclif/core';
import {Failure} from '../../client/failure.js';
import {nearest} from './nearest.js';

/** oclif takes surplus arguments for parts of a command's name; none of them is repeated, for it may be a secret. */
function surplus(words: readonly string[], ids: readonly string[]): Failure | undefined {
  const command = ids.find((id) => words.join(' ').startsWith(`${id} `));
  if (command === undefined) return undefined;
  const count = words.length - command.split(' ').length;
  return new Failure('usage', `${count} ${count === 1 ? 'argument' : 'arguments'} too many`, {
    hint: `see \`pixelctl ${command} --help\``,
  });
}

/** Says which command was probably meant; never runs it, for nobody may be there to see. */
const notFound: Hook.CommandNotFound = async ({id, config, argv = []}) => {
  // The value of a flag may be a secret: a flag in the command's place is not repeated.
  if (id.startsWith('-')) throw new Failure('usage', 'Flags go after the command', {hint: 'as in `pixelctl blocks list --json`'});
  const ids = config.commandIDs.map((known) => known.replaceAll(':', ' '));
  const topics = [...new Set(ids.filter((known) => known.includes(' ')).map((known) => known.split(' ', 1)[0] ?? ''))];
  const words = [...id.split(':'), ...argv.filter((word) => !word.startsWith('-'))];
  const [first = ''] = words;
  const isTopic = topics.includes(first);
  const typed = words.slice(0, isTopic ? 2 : 1).join(' ');
  const topic = isTopic ? first : nearest(first, topics);
  const near = nearest(words.slice(0, 2).join(' '), ids) ?? nearest(first, ids) ?? (topic && `${topic} --help`);
  const hint = near === undefined ? 'see `pixelctl --help`' : `did you mean \`pixelctl ${near}\`?`;
  throw surplus(words, ids) ?? new Failure('usage', `There is no command "${typed}"`, {hint});
};

export default notFound;
