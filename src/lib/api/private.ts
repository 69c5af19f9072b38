/** What of answers is private data of people: it is shown in JSON, and elsewhere only where it is asked for. */

/** Members of what admins see of people: their addresses. */
export const privateMembers: readonly string[] = ['email', 'app_register_ip'];

/** Whether answers to requests for a path may have them. */
export const mayHavePrivate = (path: string): boolean => path.startsWith('/api/admin/');
