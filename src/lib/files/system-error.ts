/** The system's code of an error (`ENOENT`), if it has one. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Answers undefined in place of the failure that there is no such file. */
export function absent(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error;
}
