/** In which order blocks of domains are changed, where one domain is below another. */
import {expect, test} from 'vitest';
import {childrenFirst, parentsFirst} from '../../../../../src/lib/policy/sections/domains/judge.js';

const changes = ['b.a.example', 'other.example', 'c.b.a.example', 'a.example'].map((subject) => ({subject}));
const names = (all: readonly {readonly subject: string}[]) => all.map(({subject}) => subject);

test('a domain is blocked after those above it, and otherwise in the order of the plan', () => {
  expect(names(parentsFirst(changes))).toEqual(['a.example', 'b.a.example', 'other.example', 'c.b.a.example']);
});

test('the deepest domain is reverted first, and others in the order of the plan', () => {
  expect(names(childrenFirst(changes))).toEqual(['c.b.a.example', 'b.a.example', 'other.example', 'a.example']);
});
