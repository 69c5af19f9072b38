const {spawn} = require('child_process');

/** Runs a program instead of this one, with the same arguments, streams, signals and exit status. */
exports.runInstead = runInstead;
function runInstead(program, args) {
  const child = spawn(program, args, {stdio: 'inherit'});

  const forward = (signal) => {
    // Ctrl-C in a terminal reaches the child directly; forwarding it would make it a second one.
    if (signal === 'SIGINT' && process.stdin.isTTY) return;
    child.kill(signal);
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, forward);

  child.on('error', (error) => {
    process.stderr.write(`Cannot run ${program}: ${error.message}\n`);
    process.exitCode = 1;
  });
  child.on('exit', (status, signal) => {
    for (const each of signals) process.removeListener(each, forward);
    if (signal) process.kill(process.pid, signal);
    else process.exitCode = status;
  });
}
