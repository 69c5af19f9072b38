/** Private data of people in answers. JSON has it; other output only has it when it is asked for. */

/** The members that have private data: e-mail and IP addresses that admins see. */
export const privateMembers: readonly string[] = ['email', 'app_register_ip'];

const decodeOnce = (path: string): string =>
  path.replaceAll(/%([0-7][\da-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** A path as servers read it: several spellings lead to one route. */
export function plainPath(path: string): string {
  const decoded = decodeOnce(path);
  // A proxy in front of the server may have decoded it once more.
  if (decoded !== path) return plainPath(decoded);
  const parts: string[] = [];
  for (const part of path.replace(/[?#][^]*$/, '').split(/[/\\]+/)) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

/** Whether answers to a path may have private members. The path may begin with `/index.php`. */
export const mayHavePrivate = (path: string): boolean => plainPath(path).toLowerCase().split('/').includes('admin');
