/** Lines of a batch, as people and programs write them. */
import {expect} from 'vitest';
import {parseBatchLine} from '../../src/lib/cli/endpoint/batch.js';
import {textOfBytes} from '../../src/lib/files/text.js';
import {describeParsers} from './behaviour.js';

function parseBatch(bytes: Buffer): void {
  const lines = textOfBytes(bytes, 'the batch').split(/\r\n|\r|\n/);
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const {command} = parseBatchLine(line.trim(), index + 1, ['blocks:add', 'dm:send', 'filters:create', 'api']);
    expect(command).toEqual(expect.any(String));
  }
}

describeParsers({
  batch: {
    parse: parseBatch,
    isPart: true,
    words: ['blocks add', '--title=', '--no-force', '"args":', '"flags":', ' -- ', '-h', '--input=-', '$x'],
  },
});
