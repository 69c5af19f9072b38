#!/usr/bin/env node
// This file, and those it requires on an old Node, use only syntax that old versions can parse.
const [major, minor] = process.versions.node.split('.').map(Number);

if (major > 22 || (major === 22 && minor >= 19)) start();
else require('./newer-node.js').runOnNewerNode('22.19');

function start() {
  // With DEBUG, oclif prints every argument, device tokens among them. --verbose masks them.
  delete process.env.DEBUG;
  run().catch((error) => {
    // The bundle is CommonJS, where the code has no prefix.
    if (!/^(ERR_)?MODULE_NOT_FOUND$/.test(error.code)) throw error;
    process.stderr.write('pixelctl is not built, or not fully installed: run npm run build\n');
    process.exitCode = 1;
  });
}

async function run() {
  const {settleUnknownUser, useCompileCache} = require('../bundle/own-folder.cjs');
  settleUnknownUser(process.env);
  if (useCompileCache(process.env)) await require('./load.js').load('main.cjs').main(process.argv.slice(2));
  else runWithoutNamedCache();
}

/** Node cannot turn off a compile cache from the environment, so pixelctl runs again without it. */
function runWithoutNamedCache() {
  delete process.env.NODE_COMPILE_CACHE;
  require('./run-instead.js').runInstead(process.execPath, process.execArgv.concat(process.argv.slice(1)));
}
