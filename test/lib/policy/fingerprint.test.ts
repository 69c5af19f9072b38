import {expect, test} from 'vitest';
import {fingerprint} from '../../../src/lib/policy/fingerprint.js';
import {aFilter, emptyModel, inDays, stateOf} from './model-server.js';

test('a fingerprint is of everything that a plan can change', () => {
  const model = {...emptyModel, domains: ['a.example'], filters: [aFilter('A', {keywords: ['a', 'b']})]};
  expect(fingerprint(stateOf(model, {config: {value: {version: '2'}}}))).toBe(fingerprint(stateOf(model)));
  for (const other of [{blocks: ['ana']}, {mutes: ['ana']}, {domains: []}, {push: true}])
    expect(fingerprint(stateOf({...model, ...other}))).not.toBe(fingerprint(stateOf(model)));
  const [filter = aFilter('A')] = model.filters;
  const reversed = {...filter, keywords: filter.keywords.toReversed()};
  expect(fingerprint(stateOf({...model, filters: [reversed]}))).toBe(fingerprint(stateOf(model)));
  for (const other of [{title: 'B'}, {context: ['tags']}, {action: 'hide'}, {expiresAt: inDays(1)}]) {
    expect(fingerprint(stateOf({...model, filters: [{...filter, ...other}]}))).not.toBe(fingerprint(stateOf(model)));
  }
});
