/** Whether the registry signed what is installed. */

/** Errors of a network that is not there. */
const noNetwork =
  /^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|FETCH_ERROR|ENOTCACHED)$/;

/**
 * @param answer what `npm audit signatures --json` printed
 * @returns the problems, and why nothing could be checked where that is so
 */
export function signatureResult(answer) {
  const {error, invalid = [], missing = []} = answer;
  if (error !== undefined) {
    const said = error.summary || error.code;
    if (noNetwork.test(error.code)) return {problems: [], notRun: `there is no network for it: ${said}`};
    if (/no dependencies to audit that were installed from a supported registry/.test(error.summary)) {
      return {problems: [], notRun: 'the registry that npm is set to offers no signatures'};
    }
    return {problems: [`npm audit signatures failed: ${said}`]};
  }
  const named =
    (what) =>
    ({name, version}) =>
      `${name}@${version} ${what}`;
  return {problems: [...invalid.map(named('has an invalid signature')), ...missing.map(named('has no signature'))]};
}
