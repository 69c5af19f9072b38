import type * as z from 'zod/mini';
import {at} from '../json/path.js';

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** A schema's complaint in words: `expected string, got number`. */
export function issueWords(issue: z.core.$ZodIssue, whole: unknown): string {
  const found = at(whole, issue.path);
  if (!found.present) return 'missing';
  const expected = issue.code === 'invalid_type' ? issue.expected : undefined;
  if (expected !== undefined) return `expected ${expected}, got ${kindOf(found.value)}`;
  return issue.message.startsWith('expected') ? `${issue.message}, got ${kindOf(found.value)}` : issue.message;
}
