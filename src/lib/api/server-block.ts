/** How the block of a domain for a whole server compares with what a write asked for. */
import type {PlainInput} from './endpoint.js';
import {membersOf} from './schema.js';

/** The members of a block that a write sets, in the order in which servers document them. */
export const settingsOfBlock = ['severity', 'private_comment', 'public_comment', 'reject_media', 'reject_reports', 'obfuscate'] as const;

export type SettingOfBlock = (typeof settingsOfBlock)[number];

export const flagsOfBlock: ReadonlySet<string> = new Set(['reject_media', 'reject_reports', 'obfuscate']);

/** Servers trim comments, and write one that is missing as null or as an empty text. */
const plain = (value: unknown): unknown => (typeof value === 'string' ? value.trim() : (value ?? ''));

/** The settings in which a block differs from what a write asked for. */
export function settingsUnlike(block: unknown, body: PlainInput['body'] = {}): SettingOfBlock[] {
  const found = membersOf(block);
  return settingsOfBlock.filter((name) => body[name] !== undefined && plain(found[name]) !== plain(body[name]));
}

/** Settings that Pixelfed accepts and does not store. */
const dropped: ReadonlySet<string> = new Set(['public_comment', ...flagsOfBlock]);

/** Whether a block lacks a setting that its server may have dropped. */
export const isDropped = (block: unknown, name: SettingOfBlock): boolean => dropped.has(name) && !membersOf(block)[name];

/** Whether a block is as a write asked, but for settings that a server may have dropped. */
export const isAsAsked = (block: unknown, body: PlainInput['body']): boolean =>
  settingsUnlike(block, body).every((name) => isDropped(block, name));

/** The blocked domains in a list of servers that an admin exported from Pixelfed; undefined for another document. */
export function blocksIn(document: unknown): readonly unknown[] | undefined {
  const {banned, unlisted} = membersOf(document);
  if (!Array.isArray(banned) && !Array.isArray(unlisted)) return undefined;
  const entries = (list: unknown, severity: string): unknown[] =>
    Array.isArray(list) ? list.map((name: unknown) => (typeof name === 'string' ? {domain: name, severity} : name)) : [];
  return [...entries(banned, 'suspend'), ...entries(unlisted, 'silence')];
}
