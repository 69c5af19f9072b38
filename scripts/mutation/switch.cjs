/**
 * Says which mutant is active, in every process that runs mutated code: the file `active` beside it holds the number of one, `none` or
 * `record`. Then it writes down which mutants could have been active, and in which test. A file is seen by child processes whatever
 * their environment and folder.
 */
const {appendFileSync, readFileSync} = require('node:fs');
const {join} = require('node:path');

const place = (name) => join(__dirname, 'state', name);

let active;
/** The mutants that were reached since the test began; undefined when nothing is recorded. */
let reached;
let test;
/** Whether what was reached is written when the test ends: a child process may be killed before. */
let isWorker = false;

function load() {
  const text = readFileSync(place('active'), 'utf8');
  active = text === 'none' || text === 'record' ? undefined : Number(text);
  reached = text === 'record' ? new Set() : undefined;
  if (reached) test = readFileSync(place('test'), 'utf8');
}

function write(ids) {
  appendFileSync(place('reached'), `${test} ${ids.join(',')}\n`);
}

function flush() {
  if (reached && reached.size > 0) write([...reached]);
}

const isActive = (id) => {
  if (reached === undefined) return id === active;
  if (!reached.has(id)) {
    reached.add(id);
    if (!isWorker) write([id]);
  }
  return false;
};

module.exports = Object.assign(isActive, {
  /** For the process of the tests: what is reached from here on belongs to this test. */
  begin(name) {
    if (!isWorker || reached === undefined) load();
    isWorker = true;
    if (reached === undefined) return;
    flush();
    reached.clear();
    test = name;
    require('node:fs').writeFileSync(place('test'), name);
  },
  end: flush,
});

load();
