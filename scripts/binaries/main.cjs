/** Starts the program in a single executable, as bin/run.js does with Node. A binary needs no compile cache: its code is compiled. */

const {join} = require('path');

/** The files of the bundle that the program starts as processes. Where Node gets their name as its argument, the binary does. */
const programs = new Map([[join(__dirname, 'keyring-process.cjs'), () => require('../../bundle/keyring-process.cjs')]]);

const program = programs.get(process.argv[2]);
if (program === undefined) {
  // With DEBUG, oclif prints every argument, device tokens among them. --verbose masks them.
  delete process.env.DEBUG;
  require('../../bundle/own-folder.cjs').settleUnknownUser(process.env);
  require('../../.cache/modules/main.cjs').main(process.argv.slice(2));
} else {
  process.argv.splice(1, 1);
  program();
}
