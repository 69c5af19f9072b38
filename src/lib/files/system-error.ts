/** The system's code of an error (`ENOENT`, `UND_ERR_SOCKET`), if it has one. The codes of our own failures are in lower case. */
export function systemCode(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[A-Z]/.test(code) ? code : undefined;
}

/** An error of ours with a code such as those of the system. */
export function codedError(code: string, message: string): Error {
  return Object.assign(new Error(message), {code});
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

/** A path leads neither to a plain file nor to a folder, as it must. */
export class NotPlain extends Error {
  override readonly name = 'NotPlain';
  readonly code = 'ENOTFILE';
  readonly path: string;
  /** `a symbolic link` */
  readonly kind: string;

  constructor(path: string, kind: string) {
    super(`${path} is ${kind}`);
    this.path = path;
    this.kind = kind;
  }
}
