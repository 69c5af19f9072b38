import type {Hook} from '@oclif/core';
import {Failure} from '../client/failure.js';
import {nearest} from './nearest.js';

/** Says which command was probably meant; never runs it, for nobody may be there to see. */
const notFound: Hook.CommandNotFound = async ({id, config, argv = []}) => {
  const ids = config.commandIDs.filter((known) => !known.includes('help')).map((known) => known.replaceAll(':', ' '));
  const words = [...id.split(':'), ...argv.filter((word) => !word.startsWith('-'))];
  const typed = words.slice(0, 2).join(' ');
  const near = nearest(typed, ids) ?? nearest(words[0] ?? '', ids) ?? inTopic(words, ids);
  const hint = near === undefined ? 'see `pixelctl --help`' : `did you mean \`pixelctl ${near}\`?`;
  throw new Failure('usage', `There is no command "${id.replaceAll(':', ' ')}"`, {hint});
};

/** Of a topic that exists, the help that lists its commands. */
function inTopic([topic = '']: readonly string[], ids: readonly string[]): string | undefined {
  return ids.some((known) => known.startsWith(`${topic} `)) ? `${topic} --help` : undefined;
}

export default notFound;
