/** The system's code of an error (`ENOENT`, `UND_ERR_SOCKET`), if it has one. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Whether an error says that there is no such file, or that part of its path is not a folder. */
export function isAbsent(error: unknown): boolean {
  const code = systemCode(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** For `catch`: undefined where there is no such file. @throws any other error */
export function absent(error: unknown): undefined {
  if (!isAbsent(error)) throw error;
}
