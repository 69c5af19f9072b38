/** Random values for property tests. */
import fc from 'fast-check';

/** Any code point of Unicode. fast-check's own unit `binary` takes a second to prepare in every test file. */
export const codePoint = fc
  .oneof(fc.integer({min: 0, max: 0xd7ff}), fc.integer({min: 0xe000, max: 0x10_ffff}), fc.integer({min: 0x20, max: 0x7e}))
  .map((code) => String.fromCodePoint(code));
