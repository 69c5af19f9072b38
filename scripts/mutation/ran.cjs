/**
 * Writes down what ran, in every process: the file `ran` beside it has one byte for each part of the source. A part is written when
 * it runs for the first time, so that a process that is killed has written it, too.
 */
const {closeSync, openSync, readFileSync, writeSync} = require('node:fs');
const {join} = require('node:path');

const place = join(__dirname, 'state/ran');
const known = readFileSync(place);

module.exports = (id) => {
  if (known[id] === 1) return;
  known[id] = 1;
  const file = openSync(place, 'r+');
  try {
    writeSync(file, known, id, 1, id);
  } finally {
    closeSync(file);
  }
};
