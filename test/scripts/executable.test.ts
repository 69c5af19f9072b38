import {readFileSync} from 'node:fs';
import {assert, integer, property} from 'fast-check';
import {expect, test} from 'vitest';
import {describeExecutable} from '../../scripts/binaries/executable.js';
import {signAdHoc} from '../../scripts/binaries/macho.js';

/** A Mach-O file with two segments, 10,000 bytes of content and room for a signature after them. */
function machoFile(architecture: number): Buffer<ArrayBuffer> {
  const bytes = Buffer.alloc(10_000 + 4);
  const words = [0xfeed_facf, architecture, 0, 2, 3, 72 + 72 + 16, 0, 0];
  for (const [index, word] of words.entries()) bytes.writeUInt32LE(word, index * 4);
  const segment = (at: number, name: string, start: number, length: number): void => {
    bytes.writeUInt32LE(0x19, at);
    bytes.writeUInt32LE(72, at + 4);
    bytes.write(name, at + 8);
    bytes.writeBigUInt64LE(BigInt(start), at + 40);
    bytes.writeBigUInt64LE(BigInt(length), at + 48);
  };
  segment(32, '__TEXT', 0, 8192);
  segment(104, '__LINKEDIT', 8192, 1812);
  for (const [index, word] of [0x1d, 16, 10_000, 4].entries()) bytes.writeUInt32LE(word, 176 + index * 4);
  return bytes;
}

function peFile(architecture: number): Buffer {
  const bytes = Buffer.alloc(256);
  bytes.write('MZ');
  bytes.writeUInt32LE(128, 60);
  bytes.write('PE\0\0', 128);
  bytes.writeUInt16LE(architecture, 132);
  return bytes;
}

test.runIf(process.platform === 'linux' && process.arch === 'x64')('describes the Node that runs the tests', () => {
  const linker = expect.stringMatching(/^\/lib.*\/ld-/);
  expect(describeExecutable(readFileSync(process.execPath))).toEqual({format: 'elf', architecture: 'x64', linker});
});

test.each([
  ['x64', 0x0100_0007, 0x8664],
  ['arm64', 0x0100_000c, 0xaa64],
])('describes executables for macOS and Windows on %s', (architecture, macho, pe) => {
  expect(describeExecutable(machoFile(macho))).toEqual({format: 'macho', architecture, isSigned: false});
  expect(describeExecutable(signAdHoc(machoFile(macho), 'pixelctl'))).toEqual({format: 'macho', architecture, isSigned: true});
  expect(describeExecutable(peFile(pe))).toEqual({format: 'pe', architecture});
});

test('notices every change of a signed file', () => {
  const signed = signAdHoc(machoFile(0x0100_0007), 'pixelctl');
  // Behind the load commands, whose change may make it another kind of file.
  const place = integer({min: 192, max: 9999});
  assert(
    property(place, integer({min: 1, max: 255}), (at, change) => {
      const changed = Buffer.from(signed);
      changed.writeUInt8(changed.readUInt8(at) ^ change, at);
      expect(describeExecutable(changed)).toMatchObject({isSigned: false});
    }),
  );
  expect(describeExecutable(Buffer.concat([signed, Buffer.alloc(1)]))).toMatchObject({isSigned: false});
});

test.each([
  ['an empty file', Buffer.alloc(0)],
  ['a script', Buffer.from(`#!/bin/sh\n${' '.repeat(100)}`)],
  ['a program for DOS', Buffer.from(`MZ${' '.repeat(58)}\0\0\0\0${' '.repeat(64)}`)],
  ['a 32-bit ELF file', Buffer.from(`\x7fELF\x01${' '.repeat(100)}`)],
])('refuses %s', (_, bytes) => {
  expect(() => describeExecutable(bytes)).toThrow('it is not a 64-bit executable for Linux, macOS or Windows');
});
