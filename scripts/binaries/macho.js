/**
 * Signatures in Mach-O files, because Bun leaves that of its runtime in the binary for macOS on Intel, where it fits no more: macOS
 * starts no program like that. An ad-hoc signature names nobody: it says that the content is whole.
 */
import {createHash} from 'node:crypto';

const segment = 0x19;
const codeSignature = 0x1d;
const superBlob = 0xfade_0cc0;
const codeDirectory = 0xfade_0c02;
const adHoc = 0x2;
const mainBinary = 1n;
const sha256 = 2;
const hashLength = 32;
const pageBits = 12;

/** Bytes of a super blob with one entry, and of a code directory of version 0x20400, without its name and hashes. */
const blobLength = 20;
const directoryLength = 88;

/** Segments are whole pages of the largest page size. */
const memoryPage = 0x4000n;

/** Where each load command starts. */
function loadCommands(bytes) {
  const found = [];
  for (let at = 32; found.length < bytes.readUInt32LE(16); at += bytes.readUInt32LE(at + 4)) found.push(at);
  return found;
}

function segmentNamed(bytes, name) {
  return loadCommands(bytes).find(
    (at) => bytes.readUInt32LE(at) === segment && bytes.toString('latin1', at + 8, at + 24).startsWith(`${name}\0`),
  );
}

function signatureCommand(bytes) {
  return loadCommands(bytes).find((at) => bytes.readUInt32LE(at) === codeSignature);
}

/** The hash of each page of a content, one after the other. */
function hashesOf(content) {
  const pages = Math.ceil(content.length / 2 ** pageBits);
  const page = (index) => content.subarray(index << pageBits, (index + 1) << pageBits);
  return Buffer.concat(Array.from({length: pages}, (_, index) => createHash('sha256').update(page(index)).digest()));
}

/** Whether the signature of a file fits all of its content. */
export function isSigned(bytes) {
  const command = signatureCommand(bytes);
  if (command === undefined) return false;
  const [start, length] = [bytes.readUInt32LE(command + 8), bytes.readUInt32LE(command + 12)];
  if (length < blobLength || start + length !== bytes.length || bytes.readUInt32BE(start) !== superBlob) return false;
  const directory = bytes.subarray(start + bytes.readUInt32BE(start + 16));
  if (directory.readUInt32BE(0) !== codeDirectory || directory.readUInt32BE(32) !== start || directory[37] !== sha256) return false;
  const hashes = hashesOf(bytes.subarray(0, start));
  return hashes.equals(directory.subarray(directory.readUInt32BE(16)).subarray(0, hashes.length));
}

/**
 * @param bytes a file that ends with a signature
 * @param name what the signature calls the program
 * @returns the file with an ad-hoc signature in its place
 */
export function signAdHoc(bytes, name) {
  const command = signatureCommand(bytes);
  const [text, linkEdit] = ['__TEXT', '__LINKEDIT'].map((each) => segmentNamed(bytes, each));
  const start = bytes.readUInt32LE(command + 8);
  const content = Buffer.from(bytes.subarray(0, start));
  const nameLength = Buffer.byteLength(name) + 1;
  const length = directoryLength + nameLength + Math.ceil(start / 2 ** pageBits) * hashLength;
  // The place of the signature is in the content, which it signs.
  content.writeUInt32LE(blobLength + length, command + 12);
  const tail = BigInt(start + blobLength + length) - content.readBigUInt64LE(linkEdit + 40);
  content.writeBigUInt64LE(tail, linkEdit + 48);
  content.writeBigUInt64LE(((tail + memoryPage - 1n) / memoryPage) * memoryPage, linkEdit + 32);
  const hashes = hashesOf(content);
  const head = Buffer.alloc(blobLength + directoryLength + nameLength);
  const directory = head.subarray(blobLength);
  for (const [index, word] of [superBlob, blobLength + length, 1, 0, blobLength].entries()) head.writeUInt32BE(word, index * 4);
  const words = [
    codeDirectory,
    length,
    0x20400,
    adHoc,
    directoryLength + nameLength,
    directoryLength,
    0,
    hashes.length / hashLength,
    start,
  ];
  for (const [index, word] of words.entries()) directory.writeUInt32BE(word, index * 4);
  directory.set([hashLength, sha256, 0, pageBits], 36);
  directory.writeBigUInt64BE(content.readBigUInt64LE(text + 40), 64);
  directory.writeBigUInt64BE(content.readBigUInt64LE(text + 48), 72);
  directory.writeBigUInt64BE(mainBinary, 80);
  directory.write(name, directoryLength);
  return Buffer.concat([content, head, hashes]);
}
