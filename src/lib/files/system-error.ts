/** The system's code of an error (`ENOENT`), if it has one. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Whether an error says that there is no such file, be it because its folder is none. */
export function isAbsent(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** Answers undefined in place of the failure that there is no such file. */
export function absent(error: unknown): undefined {
  if (!isAbsent(error)) throw error;
}
