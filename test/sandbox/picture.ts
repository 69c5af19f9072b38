/** Pictures that are made when somebody looks at them, one for each number. */
import {crc32, deflateSync} from 'node:zlib';

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

const [width, height] = [32, 24];

/** A square of one colour in a frame of another. */
function pngOf(number: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits for each of red, green and blue.
  header.set([8, 2, 0, 0, 0], 8);
  const colour = (factor: number) => [(number * 67 * factor) % 256, (number * 131 * factor + 80) % 256, (number * 29 * factor + 160) % 256];
  const rows = Array.from({length: height}, (_, y) => {
    const pixels = Array.from({length: width}, (_x, x) => colour(x > 3 && x < width - 4 && y > 3 && y < height - 4 ? 1 : 2));
    return [0, ...pixels.flat()];
  });
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('tEXt', Buffer.from(`Comment\0${number}`, 'latin1')),
    chunk('IDAT', deflateSync(Buffer.from(rows.flat()))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** The beginning of a video, which shows nothing. */
function mp4Of(number: number): Buffer {
  const brand = Buffer.from('\0\0\0\u0018ftypisom\0\0\u0002\0isomiso2', 'latin1');
  return Buffer.concat([brand, Buffer.from(`\0\0\0\u0010free${String(number).padStart(8, '0')}`, 'latin1')]);
}

/** The first bytes of a photo, by which its type is recognized. */
const jpegOf = (number: number): Buffer =>
  Buffer.from(`ffd8ffe000104a46494600010100000100010000fffe000a${Buffer.from(String(number).padStart(8, '0')).toString('hex')}ffd9`, 'hex');

/** A file of this type, another one for each number. */
export const fileOf = (mime: string, number: number): Buffer =>
  mime === 'image/png' ? pngOf(number) : mime === 'video/mp4' ? mp4Of(number) : jpegOf(number);
