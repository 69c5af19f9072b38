/** What sections are called, and what they read and write. */
import {expect, test} from 'vitest';
import {pathsOf, sections, writesOf} from '../../../../src/lib/policy/sections/index.js';

test('sections are told by what they read and write', () => {
  expect(pathsOf(sections.filter(({key}) => key === 'blocks' || key === 'mutes'))).toBe('/api/v1/blocks and /api/v1/mutes');
  expect(pathsOf(sections.filter(({key}) => key === 'blocks'))).toBe('/api/v1/blocks');
  expect(writesOf(sections.filter(({key}) => key === 'domain_blocks'))).toBe('POST and DELETE /api/v1/domain_blocks');
});
