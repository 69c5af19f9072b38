/** Every route: the `routes` of each file beside this one. The bundle has the finished list (scripts/bundle.js). */
import {readdirSync} from 'node:fs';
import {basename, extname} from 'node:path';
import type {Route} from '../route.js';

const {dirname, filename} = import.meta;
const files = readdirSync(dirname).filter((file) => /^[\w-]+\.[jt]s$/.test(file) && extname(file) === extname(filename));

async function routesIn(file: string): Promise<readonly Route[]> {
  const {routes}: {readonly routes: readonly Route[]} = await import(new URL(file, import.meta.url).href);
  return routes;
}

export const routes = (await Promise.all(files.filter((file) => file !== basename(filename)).map(routesIn))).flat();
