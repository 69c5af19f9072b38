import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import fc from 'fast-check';
import {beforeAll, describe, expect, test} from 'vitest';
import {cannotRead} from '../../../src/lib/client/failure.js';
import {absent} from '../../../src/lib/files/system-error.js';
import {readGivenText, textFrom, textOfBytes} from '../../../src/lib/files/read-text.js';
import {runCommand} from '../../run-command.js';
import {codePoint} from '../../arbitraries.js';
import {newFolder} from '../../new-folder.js';

let folder: string;
beforeAll(() => void (folder = newFolder()));

async function file(content: Uint8Array | string): Promise<string> {
  const path = join(folder, 'input');
  await writeFile(path, content);
  return path;
}

const notText: readonly (readonly [string, Buffer])[] = [
  ['Latin-1', Buffer.from('søren\n', 'latin1')],
  ['UTF-16 with a mark', Buffer.from('\ufeffsøren\n', 'utf16le')],
  ['UTF-16 without a mark', Buffer.from('soren\n', 'utf16le')],
  ['big-endian UTF-16', Buffer.from('\ufeffsøren\n', 'utf16le').swap16()],
  ['a cut character', Buffer.from('søren ø').subarray(0, -1)],
];

test('reads UTF-8 unmodified, without byte order marks', () => {
  fc.assert(
    fc.property(
      fc.string({unit: codePoint}).filter((text) => !text.includes('\0') && text.isWellFormed() && !text.startsWith('\ufeff')),
      (text) => {
        expect(textOfBytes(Buffer.from(text), 'x')).toBe(text);
        for (const marks of ['\ufeff', '\ufeff\ufeff', '\ufeff'.repeat(5)]) expect(textOfBytes(Buffer.from(marks + text), 'x')).toBe(text);
      },
    ),
  );
});

test.each(notText)('%s is refused', (_, bytes) => {
  expect(() => textOfBytes(bytes, 'notes.txt')).toThrow(
    expect.objectContaining({name: 'NotText', message: expect.stringMatching(/^notes\.txt is .*UTF-8 text/)}),
  );
});

test('names the line of the first invalid byte', () => {
  expect(() => textOfBytes(Buffer.from('a\nb\nsøren\n', 'latin1'), 'notes.txt')).toThrow('notes.txt is not UTF-8 text (line 3)');
});

test.each([
  [[0xff, 0xfe, 0x61, 0], 'UTF-16, not UTF-8 text'],
  [[0xfe, 0xff, 0, 0x61], 'UTF-16, not UTF-8 text'],
  [[0xff, 0xff], 'not UTF-8 text (line 1)'],
  [[0xfe, 0xfe], 'not UTF-8 text (line 1)'],
  [[0x61, 0xff, 0xfe], 'not UTF-8 text (line 1)'],
  [[0x61, 0], 'not UTF-8 text: it contains null bytes'],
  [[0x61, 0x0a, 0xff, 0x0a, 0xff], 'not UTF-8 text (line 2)'],
])('bytes %j are %s', (bytes, what) => {
  expect(() => textOfBytes(Uint8Array.from(bytes), 'notes.txt')).toThrow(
    expect.objectContaining({
      name: 'NotText',
      message: `notes.txt is ${what}`,
      advice: 'convert it to UTF-8, for example with iconv',
    }),
  );
});

test('text of a stream may come as bytes and as strings', async () => {
  async function* chunks(): AsyncGenerator<unknown> {
    yield '\ufeffsø';
    yield Buffer.from('ren');
    yield 7;
  }
  expect(await textFrom(chunks(), 'standard input')).toBe('søren7');
});

test('a file that is there is read, and what is wrong with it names its path', async () => {
  expect(await readGivenText(await file('a\n'))).toBe('a\n');
  const wrong = await file(Uint8Array.from([0x61, 0]));
  await expect(readGivenText(wrong).catch(cannotRead('the notes'))).rejects.toMatchObject({
    code: 'usage',
    message: `${wrong} is not UTF-8 text: it contains null bytes`,
    details: {hint: 'convert it to UTF-8, for example with iconv'},
  });
});

test('the hint for a file that is not there is not given for one that cannot be read', async () => {
  const missing = readGivenText(join(folder, 'missing')).catch(cannotRead('the notes', 'write some'));
  await expect(missing).rejects.toMatchObject({
    code: 'local',
    message: 'Cannot read the notes: no such file',
    details: {hint: 'write some'},
  });
  await expect(readGivenText(folder).catch(cannotRead('the notes', 'write some'))).rejects.toMatchObject({
    code: 'local',
    message: 'Cannot read the notes: it is a folder',
    details: {hint: 'give the path of a file'},
  });
  expect(
    await readGivenText(join(await file('a'), 'b'))
      .catch(absent)
      .catch(cannotRead('the notes')),
  ).toBeUndefined();
});

test('rejects more than 256 MiB without reading on', async () => {
  let chunks = 0;
  const chunk = Buffer.alloc(1024 * 1024, 'a');
  async function* endless(): AsyncGenerator<Buffer> {
    for (;;) {
      chunks += 1;
      yield chunk;
    }
  }
  await expect(textFrom(endless(), 'standard input')).rejects.toMatchObject({
    name: 'NotText',
    message: 'standard input is larger than 256 MiB',
    advice: 'split it',
  });
  expect(chunks).toBe(257);
});

/** Everything that reads text from a file, by the words that name the file last. */
const fromFiles: readonly (readonly string[])[] = [
  ['filters', 'create', '--input'],
  ['dm', 'read', '--from'],
  ['api', 'POST', '/x', '--input'],
  ['audit'],
  ['plan'],
  ['apply', '--yes'],
  ['explain', 'bad.example', '--policy'],
  ['diff'],
  ['notifications', 'list', '--follow', '--since-file'],
];

/** Everything that reads text from standard input. */
const fromStandardInput: readonly (readonly string[])[] = [
  ['dm', 'send', '5', '-'],
  ['dm', 'read', '-'],
  ['dm', 'read', '--from', '-'],
  ['dm', 'start', '-'],
  ['filters', 'create', '--input', '-'],
  ['api', 'POST', '/x', '--input', '-'],
  ['push', 'compare', '-'],
  ['push', 'update', '-', '--notify'],
  ['auth', 'login', '--server', 'pix.example', '--with-token'],
];

describe('text that is not UTF-8', () => {
  const [, bytes = Buffer.of()] = notText[0] ?? [];
  const refusal = {status: 2, stdout: '', stderr: expect.stringContaining('UTF-8')};

  test.each(fromFiles)('invalid text in a file is refused, and nothing is sent: %s %s %s %s', async (...words) => {
    expect(await runCommand([...words, await file(bytes)])).toMatchObject(refusal);
  });

  test.each(fromStandardInput)('invalid text on standard input is refused, and nothing is sent: %s %s %s %s %s', async (...words) => {
    expect(await runCommand(words, {input: bytes})).toMatchObject(refusal);
  });

  test('invalid text in a token file is rejected, and nothing is sent', async () => {
    const environment = {PIXELCTL_TOKEN: undefined, PIXELCTL_TOKEN_FILE: await file(bytes)};
    expect(await runCommand(['blocks', 'list'], {environment})).toMatchObject(refusal);
  });
});
