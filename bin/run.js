#!/usr/bin/env node
// This file and the one it reaches for on an old Node keep to syntax that old Nodes can parse.
import * as module from 'module';
import {homedir} from 'os';
import {join} from 'path';

const [major, minor] = process.versions.node.split('.').map(Number);

if (major > 22 || (major === 22 && minor >= 19)) start();
else import('./newer-node.js').then(({runOnNewerNode}) => runOnNewerNode('22.19'));

function start() {
  // Compiled code is executed as it lies there, so it lies with the user and not in a folder that others can write to.
  module.enableCompileCache(
    process.env.NODE_COMPILE_CACHE || join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'pixelctl', 'compiled'),
  );
  import('../dist/lib/command/main.js').then(
    ({run}) => run(process.argv.slice(2), import.meta.url),
    (error) => {
      if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
      process.stderr.write('pixelctl is not built, or not fully installed: run npm run build\n');
      process.exitCode = 1;
    },
  );
}
