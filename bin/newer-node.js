const {createRequire} = require('module');
const {dirname, join} = require('path');
const {runInstead} = require('./run-instead.js');

/** Runs pixelctl again with the Node of the npm package `node`, if that is installed and new enough. */
exports.runOnNewerNode = runOnNewerNode;
function runOnNewerNode(needed) {
  const node = bundledNode(__filename);
  if (node && atLeast(node.version, needed)) {
    runInstead(node.executable, process.argv.slice(1));
    return;
  }
  process.stderr.write(`pixelctl needs Node ${needed} or newer, and this is ${process.versions.node}\n`);
  process.exitCode = 1;
}

/** The npm package `node` as a module at this location resolves it. */
exports.bundledNode = bundledNode;
function bundledNode(from) {
  try {
    const requireFrom = createRequire(from);
    const {version} = requireFrom('node/package.json');
    const executable = process.platform === 'win32' ? 'node.exe' : 'node';
    return {version, executable: join(dirname(requireFrom.resolve('node/package.json')), 'bin', executable)};
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND') throw error;
    return undefined;
  }
}

function atLeast(version, needed) {
  const [major, minor] = version.split('.').map(Number);
  const [neededMajor, neededMinor] = needed.split('.').map(Number);
  return major > neededMajor || (major === neededMajor && minor >= neededMinor);
}
