/** Every route: the `routes` of each file beside this one. The bundle has the finished list (scripts/bundle.js). */
import {readdirSync} from 'node:fs';
import {basename, extname} from 'node:path';
import {isObject, membersOf} from '../../api/schema.js';
import type {Route} from '../route.js';

const {dirname, filename} = import.meta;
const files = readdirSync(dirname).filter((file) => /^[\w-]+\.[jt]s$/.test(file) && extname(file) === extname(filename));

const isRoute = (value: unknown): value is Route => isObject(value) && 'answer' in value && 'record' in value;

async function routesIn(file: string): Promise<readonly Route[]> {
  const module: unknown = await import(new URL(file, import.meta.url).href);
  return [membersOf(module)['routes']].flat().filter(isRoute);
}

export const routes = (await Promise.all(files.filter((file) => file !== basename(filename)).map(routesIn))).flat();
