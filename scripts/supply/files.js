/** What is wrong with the files of the project that decide what is installed and what is run: lockfiles, scripts of packages, actions, licences. */

/** npm runs these when a package is installed; prepare, when it is installed from git. */
const installScripts = ['preinstall', 'install', 'postinstall', 'prepublish', 'preprepare', 'prepare', 'postprepare'];

/** The licences that what is bundled may have: they ask for no more than their text beside every copy. */
export const allowedLicenses = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'ISC', 'MIT'];

/** @param packages with `id` and `license` */
export function licenseProblems(packages) {
  return packages
    .filter(({license}) => !allowedLicenses.includes(license))
    .map(({id, license}) => `${id} has the licence ${license ?? '(none)'}, which scripts/supply/files.js does not list`);
}

/**
 * @param manifest package.json
 * @param files paths in the package
 */
export function publishedProblems({scripts, ...manifest}, files) {
  const dependencies = ['dependencies', 'optionalDependencies', 'bundleDependencies', 'bundledDependencies'];
  return [
    ...installScripts.filter((name) => scripts?.[name] !== undefined).map((name) => `package.json has the script ${name}`),
    ...files.filter((file) => file === 'binding.gyp').map((file) => `the package has ${file}, which npm compiles when it is installed`),
    ...dependencies.filter((name) => manifest[name] !== undefined).map((name) => `package.json has ${name}: what is needed is bundled`),
  ];
}

const packagesOf = (lock) => Object.entries(lock.packages).filter(([path]) => path !== '');

/** @param allowed `allowScripts` of package.json */
export function scriptProblems(lock, allowed = {}) {
  const found = packagesOf(lock).filter(([, {hasInstallScript}]) => hasInstallScript === true);
  const names = new Set(found.map(([path, {name}]) => name ?? path.replace(/^.*node_modules\//, '')));
  const isAllowed = (name) => allowed[name] === true;
  return [
    ...[...names].filter((name) => !isAllowed(name)).map((name) => `${name} has an install script, and allowScripts does not permit it`),
    ...Object.keys(allowed)
      .filter((name) => !names.has(name))
      .map((name) => `allowScripts permits ${name}, which has no install script`),
  ];
}

/** A lockfile without addresses installs from whatever registry npm is set to; its checksums say what it must get there. */
export function lockfileProblems(lock) {
  const problems = lock.lockfileVersion === 3 ? [] : [`it has version ${lock.lockfileVersion}, not 3`];
  for (const [path, {integrity, resolved, link}] of packagesOf(lock)) {
    if (link === true) problems.push(`${path} is a link`);
    else if (!/^sha512-[\w+/]{86}==$/.test(integrity ?? '')) problems.push(`${path} has no SHA-512 checksum`);
    if (resolved !== undefined) problems.push(`${path} is bound to an address: ${resolved}`);
  }
  return problems;
}

/** Of workflows and documents: `- uses: actions/checkout@…`. */
const uses = /^\s*(?:-\s+)?uses:\s+['"]?([^\s'"]+)['"]?(.*)$/;

/** pixelctl itself, whose owner and version each reader fills in. */
const ownAction = /(^|\/)OWNER\/pixelctl@v[\d.]+$/;

/** @param text a workflow, an action, or a document with parts of them */
export function actionProblems(text) {
  return text.split('\n').flatMap((line, index) => {
    const [, action, comment] = uses.exec(line) ?? [];
    if (action === undefined || action.startsWith('./') || ownAction.test(action)) return [];
    if (!/@[0-9a-f]{40}$|^docker:.*@sha256:[0-9a-f]{64}$/.test(action)) return [`line ${index + 1}: ${action} is not pinned by its digest`];
    return /^ # v\d/.test(comment) ? [] : [`line ${index + 1}: ${action} does not say which version it is: # v1.2.3`];
  });
}
