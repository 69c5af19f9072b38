/** `multipart/form-data` (RFC 7578), with files streamed from disk. */
import {randomBytes} from 'node:crypto';
import {createReadStream} from 'node:fs';
import {stat} from 'node:fs/promises';
import {basename} from 'node:path';
import type {FileField} from './request.js';
import {Failure, localFailure} from './failure.js';
import {contentTypeOf} from './media-type.js';

interface LocalFile {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  readonly contentType: string;
}

/**
 * Size and type of a file that is to be sent.
 * @throws Failure `local` when it cannot be read, `usage` when it is not a file
 */
export async function localFile(path: string): Promise<LocalFile> {
  const found = await stat(path).catch((error: unknown) => {
    throw localFailure(`Cannot read ${path}`, error);
  });
  if (!found.isFile()) throw new Failure('usage', `${path} is not a file`);
  return {path, size: found.size, contentType: contentTypeOf(path)};
}

function quoteName(name: string): string {
  const escapes: Readonly<Record<string, string>> = {'"': '%22', '\r': '%0D', '\n': '%0A'};
  return `"${name.replace(/["\r\n]/g, (character) => escapes[character] ?? '')}"`;
}

interface EncodedForm {
  readonly contentType: string;
  /** Bytes. */
  readonly contentLength: number;
  /** Yields the bytes from the beginning at every call, so that a request can be resent. */
  readonly chunks: () => AsyncGenerator<Buffer>;
}

export async function encodeForm(fields: readonly (readonly [string, FileField | string])[]): Promise<EncodedForm> {
  const boundary = `----pixelctl${randomBytes(16).toString('hex')}`;
  const parts = await Promise.all(
    fields.map(async ([name, value]) => {
      const head = `--${boundary}\r\ncontent-disposition: form-data; name=${quoteName(name)}`;
      if (typeof value === 'string') return {head: Buffer.from(`${head}\r\n\r\n${value}`), file: undefined};
      const file = await localFile(value.file);
      const about = `${head}; filename=${quoteName(basename(file.path))}\r\ncontent-type: ${file.contentType}\r\n\r\n`;
      return {head: Buffer.from(about), file};
    }),
  );
  const lineEnd = Buffer.from('\r\n');
  const end = Buffer.from(`--${boundary}--\r\n`);
  async function* chunks(): AsyncGenerator<Buffer> {
    for (const {head, file} of parts) {
      yield head;
      if (file !== undefined) yield* readFile(file);
      yield lineEnd;
    }
    yield end;
  }
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    contentLength: parts.reduce((sum, {head, file}) => sum + head.length + (file?.size ?? 0) + lineEnd.length, end.length),
    chunks,
  };
}

async function* readFile(file: LocalFile): AsyncGenerator<Buffer> {
  const fileChanged = () => new Failure('local', `${file.path} changed while it was being sent`);
  let sent = 0;
  try {
    for await (const chunk of createReadStream(file.path)) {
      // Every chunk is a buffer; the types also allow a stream of text.
      if (Buffer.isBuffer(chunk)) {
        sent += chunk.length;
        if (sent > file.size) throw fileChanged();
        yield chunk;
      }
    }
  } catch (error) {
    throw error instanceof Failure ? error : localFailure(`Cannot read ${file.path}`, error);
  }
  if (sent !== file.size) throw fileChanged();
}
