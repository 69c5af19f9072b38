/**
 * Every record of the files in this folder, for code that needs them all; commands import their own. The bundle has the finished list
 * (scripts/bundle.js).
 */
import {readdirSync} from 'node:fs';
import {basename, extname} from 'node:path';
import type {Endpoint} from './endpoint.js';
import {isObject, membersOf} from './schema.js';

const {dirname, filename} = import.meta;
/** Modules end as this one does: in `.js` when compiled, in `.ts` when tests load the source. */
const isModule = (file: string): boolean => /^[\w-]+\.[jt]s$/.test(file) && extname(file) === extname(filename);
const isRecord = (value: unknown): value is Endpoint => isObject(value) && 'pathFields' in value && 'method' in value;

const files = readdirSync(dirname).filter((file) => isModule(file) && file !== basename(filename));
const modules: readonly unknown[] = await Promise.all(files.map((file) => import(new URL(file, import.meta.url).href)));

export const records: readonly Endpoint[] = modules.flatMap((module) => Object.values(membersOf(module))).filter(isRecord);

/** The records that have a command. */
export const endpoints = records.filter(({internal}) => !internal);
