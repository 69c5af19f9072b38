/** The working folder belongs to the whole process: runs that need one go one by one. */
let turn: Promise<unknown> = Promise.resolve();

/** Runs something in a folder, after all that others asked for before. */
export function runInFolder<Result>(folder: string, run: () => Promise<Result>): Promise<Result> {
  const ended = turn.then(async () => {
    const before = process.cwd();
    process.chdir(folder);
    try {
      return await run();
    } finally {
      process.chdir(before);
    }
  });
  turn = ended.catch(() => {});
  return ended;
}
