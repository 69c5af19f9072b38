/**
 * Starts the program in a single executable, as bin/run.js does with Node, and makes up for what Bun does in another way.
 * A binary needs no compile cache: its code is compiled.
 */
const {dirname, join} = require('path');

// Inside an executable, the files keep their place in the folder of the project. The modules find theirs by these names, which the
// build puts in place of __dirname and __filename.
globalThis.bundleFolder = join(dirname(Bun.main), 'bundle');
globalThis.bundleFile = join(globalThis.bundleFolder, 'main.cjs');

/** The files of the bundle that the program starts as processes. Where Node gets their name as its argument, the binary does. */
const programs = new Map([[join(__dirname, 'keyring-process.cjs'), () => require('../../bundle/keyring-process.cjs')]]);

/** Bun says of standard output that nothing waits to be written, whatever does: only its `write` tells. */
function countWaiting(stream) {
  const write = stream.write.bind(stream);
  let waiting = 0;
  Object.defineProperty(stream, 'writableLength', {get: () => waiting});
  stream.write = (data, ...rest) => {
    const written = typeof rest.at(-1) === 'function' ? rest.pop() : undefined;
    let counted = 0;
    const isWritten = write(data, ...rest, (error) => {
      waiting -= counted;
      written?.(error);
    });
    if (!isWritten) waiting += counted = data.length;
    return isWritten;
  };
}

const program = programs.get(process.argv[2]);
if (program === undefined) {
  // With DEBUG, oclif prints every argument, device tokens among them. --verbose masks them.
  delete process.env.DEBUG;
  countWaiting(process.stdout);
  require('../../bundle/own-folder.cjs').settleUnknownUser(process.env);
  void require('../../.cache/modules/main.cjs').main(process.argv.slice(2));
} else {
  process.argv.splice(1, 1);
  program();
}
