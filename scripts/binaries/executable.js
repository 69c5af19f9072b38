/** What an executable file is made for. */
import {isSigned} from './macho.js';

const machines = {elf: {62: 'x64', 183: 'arm64'}, macho: {0x0100_0007: 'x64', 0x0100_000c: 'arm64'}, pe: {0x8664: 'x64', 0xaa64: 'arm64'}};

/** The type of the part of an ELF file that names its dynamic linker. */
const interpreter = 3;

/**
 * @param bytes the file
 * @returns its format and architecture; of an ELF file the dynamic linker, too, and of a Mach-O file whether its signature fits
 * @throws Error for anything but a 64-bit executable in one of these formats
 */
export function describeExecutable(bytes) {
  const magic = bytes.length < 64 ? '' : bytes.toString('latin1', 0, 4);
  if (magic === '\x7fELF' && bytes[4] === 2) return describeElf(bytes);
  if (magic === '\xcf\xfa\xed\xfe') {
    return {format: 'macho', architecture: machines.macho[bytes.readUInt32LE(4)], isSigned: isSigned(bytes)};
  }
  const header = bytes.length < 64 ? 0 : bytes.readUInt32LE(60);
  if (magic.startsWith('MZ') && bytes.toString('latin1', header, header + 4) === 'PE\0\0') {
    return {format: 'pe', architecture: machines.pe[bytes.readUInt16LE(header + 4)]};
  }
  throw new Error('it is not a 64-bit executable for Linux, macOS or Windows');
}

function describeElf(bytes) {
  const [first, size, count] = [Number(bytes.readBigUInt64LE(32)), bytes.readUInt16LE(54), bytes.readUInt16LE(56)];
  const parts = Array.from({length: count}, (_, index) => bytes.subarray(first + index * size));
  const named = parts.find((part) => part.readUInt32LE(0) === interpreter);
  const start = named === undefined ? 0 : Number(named.readBigUInt64LE(8));
  const linker = named === undefined ? null : bytes.toString('latin1', start, bytes.indexOf(0, start));
  return {format: 'elf', architecture: machines.elf[bytes.readUInt16LE(18)], linker};
}
