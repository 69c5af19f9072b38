/**
 * The program's own folders: where they are, and that nobody else can put anything into them. Profiles, tokens, state and caches
 * all go through here. It imports nothing of ours: bin/run.js needs it before anything else is loaded.
 */
import {chmodSync, lstatSync, mkdirSync, readdirSync, readlinkSync, rmSync, type Stats} from 'node:fs';
import {enableCompileCache, getCompileCacheDir} from 'node:module';
import {homedir, userInfo} from 'node:os';
import {dirname, isAbsolute, join, resolve, sep} from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

const forOthers = 0o077;
const writableByOthers = 0o022;
const writableByAll = 0o002;
const sticky = 0o1000;
const forOwner = 0o700;

/** As many as Linux follows. */
const mostLinks = 40;

/** A file or folder that others could read or change. */
export class NotPrivate extends Error {
  override readonly name = 'NotPrivate';
  readonly code = 'ENOTPRIVATE';
  /** The words of the command that repairs it; undefined where a repair could do harm to others. */
  readonly command: readonly string[] | undefined;

  constructor(message: string, command?: readonly string[]) {
    super(message);
    this.command = command;
  }
}

function coded(code: string, message: string): Error {
  return Object.assign(new Error(message), {code});
}

/** Undefined on Windows, where folders of a user are closed to others from the start, and modes say nothing. */
const user = (): number | undefined => process.geteuid?.();

/** Whoever owns the root can change everything anyway: inside of a container that may be somebody without a name there. */
function isTrusted(uid: number): boolean {
  return uid === user() || uid === 0 || uid === lstatSync(sep).uid;
}

function checkOwner(path: string, uid: number): void {
  if (!isTrusted(uid)) throw new NotPrivate(`${path} belongs to another user`);
}

/** What is ours and was made by another, as with `sudo`, can be taken back; root would take it from whom it belongs to. */
export function belongsToAnother(path: string): NotPrivate {
  const command = user() === 0 ? undefined : ['sudo', 'chown', String(user()), path];
  return new NotPrivate(`${path} belongs to another user`, command);
}

/** A folder of ours may lie in one that its group can write to; nobody else may put another one in its place. */
function checkAbove(path: string, {uid, mode}: Stats): void {
  checkOwner(path, uid);
  if ((mode & writableByAll) !== 0 && (mode & sticky) === 0) {
    throw new NotPrivate(`Everybody can change what is in ${path}`, ['chmod', 'o-w', path]);
  }
}

/** Goes down a path, follows links, and checks everything on the way. */
class Descent {
  /** What others could do in folders of ours until now, as bits of their modes. */
  openTo = 0;
  readonly #make: boolean;
  #links = 0;

  constructor(make: boolean) {
    this.#make = make;
  }

  /**
   * @param place where it begins, checked already
   * @param own how many of the last names are ours
   * @returns the path without links; undefined when it does not exist
   */
  go(place: string, names: readonly string[], own: number, make = this.#make): string | undefined {
    let at = place;
    for (const [index, name] of names.entries()) {
      const next = name === '..' ? dirname(at) : this.#enter(join(at, name), index >= names.length - own, make);
      if (next === undefined) return undefined;
      at = next;
    }
    return at;
  }

  #enter(path: string, isOwn: boolean, make: boolean): string | undefined {
    const found = lstatSync(path, {throwIfNoEntry: false}) ?? (make ? newFolder(path) : undefined);
    if (found === undefined) return undefined;
    if (found.isSymbolicLink()) return this.#follow(path, found, isOwn);
    if (!found.isDirectory()) throw coded('ENOTDIR', `${path} is not a folder`);
    if (isOwn) this.#close(path, found);
    else checkAbove(path, found);
    return path;
  }

  #follow(path: string, {uid}: Stats, isOwn: boolean): string | undefined {
    checkOwner(path, uid);
    this.#links += 1;
    if (this.#links > mostLinks) throw coded('ELOOP', `${path} is a link that leads to itself`);
    const target = readlinkSync(path);
    // What a link points to is not made: a disk may not be mounted.
    const found = this.go(isAbsolute(target) ? sep : dirname(path), namesIn(target), isOwn ? 1 : 0, false);
    if (found === undefined && this.#make) throw coded('ENOENT', `${path} is a link to nothing`);
    return found;
  }

  /** Closes a folder of ours to others. */
  #close(path: string, {uid, mode}: Stats): void {
    if (uid !== user()) throw belongsToAnother(path);
    this.openTo |= mode & forOthers;
    if ((mode & forOthers) === 0) return;
    // One that is shared on purpose, as /tmp, was not made for this.
    if ((mode & sticky) !== 0) throw new NotPrivate(`${path} is shared by all users`);
    try {
      chmodSync(path, forOwner);
    } catch {
      throw new NotPrivate(`Others can read or change ${path}`, ['chmod', '700', path]);
    }
  }
}

const namesIn = (path: string): string[] => path.split(sep).filter((name) => name !== '' && name !== '.');

/** For the owner alone, whatever the umask. */
function newFolder(path: string): Stats {
  try {
    mkdirSync(path, forOwner);
    chmodSync(path, forOwner);
  } catch (error) {
    // Another process may have been quicker.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  return lstatSync(path);
}

/** @throws NotPrivate for a file that another user owns, or that everybody can change */
export function checkUntouched(path: string, {uid, mode}: Stats): void {
  if (user() === undefined) return;
  checkOwner(path, uid);
  if ((mode & writableByAll) !== 0) throw new NotPrivate(`Everybody can change ${path}`, ['chmod', 'o-w', path]);
}

export interface OwnFolderOptions {
  /** How many of the last parts of the path are ours alone: 0 for a folder that only holds files of ours. 1 if absent. */
  readonly own?: number;
  /** Whether what is missing is made, for the owner alone. */
  readonly make: boolean;
}

/**
 * Makes sure that nobody else can put anything into a folder, or another folder in its place. Our own are set to 0700; those
 * above have to belong to this user or to root, and must not be writable by everybody unless they are sticky, as /tmp is.
 * @returns what others could do in it until now, as bits of its mode; undefined when it does not exist
 * @throws NotPrivate when it is not safe; the system's error when it cannot be made or looked at
 */
export function secureFolder(folder: string, {own = 1, make}: OwnFolderOptions): {readonly openTo: number} | undefined {
  const path = resolve(folder);
  if (user() === undefined) {
    if (make) mkdirSync(path, {recursive: true});
    return lstatSync(path, {throwIfNoEntry: false}) && {openTo: 0};
  }
  checkAbove(sep, lstatSync(sep));
  const descent = new Descent(make);
  return descent.go(sep, namesIn(path), own) === undefined ? undefined : {openTo: descent.openTo};
}

/** The user's home, if there is one: neither an empty name nor a relative one, which would be the working folder. */
function homeIn(environment: Environment, platform: NodeJS.Platform): string | undefined {
  const named = environment[platform === 'win32' ? 'USERPROFILE' : 'HOME'];
  if (named !== undefined) return isAbsolute(named) ? named : undefined;
  try {
    return homedir();
  } catch {
    // A user whom the system does not know.
    return undefined;
  }
}

/**
 * Fills in what the system cannot say of a user whom it does not know, as in a container that runs as some number: libraries ask
 * for the home and the shell when they are loaded, and fail.
 */
export function settleUnknownUser(environment: NodeJS.ProcessEnv): void {
  if (environment['HOME'] !== undefined && environment['SHELL'] !== undefined) return;
  try {
    userInfo();
  } catch {
    environment['HOME'] ??= '';
    environment['SHELL'] ??= '';
  }
}

export interface PlaceOptions {
  readonly platform?: NodeJS.Platform;
}

/** A folder below the user's home, or where a variable says; the convention has it that a relative path is ignored. */
function placeOf(environment: Environment, platform: NodeJS.Platform, variable: string, below: readonly string[]): string | undefined {
  const named = environment[variable] ?? '';
  if (isAbsolute(named)) return named;
  const home = homeIn(environment, platform);
  return home === undefined ? undefined : join(home, ...below);
}

const windowsPlace = ['LOCALAPPDATA', ['AppData', 'Local']] as const;

/**
 * The folder of profiles and secrets: `PIXELCTL_CONFIG_DIR`, else the system's own place. It need not exist.
 * @returns undefined for a user without a home
 */
export function configFolder(environment: Environment, {platform = process.platform}: PlaceOptions = {}): string | undefined {
  const named = environment['PIXELCTL_CONFIG_DIR'] ?? '';
  if (named !== '') return resolve(named);
  const usual = platform === 'darwin' ? ['Library', 'Application Support'] : ['.config'];
  const [variable, below] = platform === 'win32' ? windowsPlace : ['XDG_CONFIG_HOME', usual];
  const place = placeOf(environment, platform, variable, below);
  return place === undefined ? undefined : join(place, 'pixelctl');
}

/** The file that there is once a profile was saved. */
export const profilesFile = (folder: string): string => join(folder, 'profiles.json');

/** The folder of what can be made again. It need not exist. @returns undefined for a user without a home */
export function cacheFolder(environment: Environment, {platform = process.platform}: PlaceOptions = {}): string | undefined {
  const [variable, below] = platform === 'win32' ? windowsPlace : ['XDG_CACHE_HOME', ['.cache']];
  const place = placeOf(environment, platform, variable, below);
  return place === undefined ? undefined : join(place, 'pixelctl');
}

/** Where compiled code goes: where Node was told, else among our caches. */
function compileFolder(environment: Environment): {readonly folder: string; readonly own: number} | undefined {
  const named = environment['NODE_COMPILE_CACHE'] ?? '';
  if (named !== '') return isAbsolute(named) ? {folder: named, own: 1} : undefined;
  const cache = cacheFolder(environment);
  return cache === undefined ? undefined : {folder: join(cache, 'compiled'), own: 2};
}

/**
 * Removes compiled code that others may have put there. Node has a folder of its own for each of its versions.
 * @param wasOpen whether others could write to the folder until now
 */
function discardForeign(folder: string, wasOpen: boolean): void {
  if (user() === undefined) return;
  for (const name of readdirSync(folder)) {
    if (!/^v\d+\./.test(name)) continue;
    const path = join(folder, name);
    const {uid, mode} = lstatSync(path);
    if (!wasOpen && uid === user() && (mode & writableByOthers) === 0) continue;
    rmSync(path, {recursive: true, force: true});
    // Node may have turned the cache on already, and writes to this folder.
    mkdirSync(path, forOwner);
  }
}

/**
 * Turns the compile cache on. Compiled code is executed as it lies there: where others could put it there, the cache stays off.
 * @returns false when Node has turned it on already, as `NODE_COMPILE_CACHE` says, and it must not be used
 */
export function useCompileCache(environment: Environment): boolean {
  const isOnAlready = getCompileCacheDir() !== undefined && (environment['NODE_COMPILE_CACHE'] ?? '') !== '';
  if (isOnAlready && user() === undefined) return true;
  try {
    const place = compileFolder(environment);
    if (place === undefined) return !isOnAlready;
    const {folder, own} = place;
    const {openTo = 0} = secureFolder(folder, {own, make: true}) ?? {};
    discardForeign(folder, (openTo & writableByOthers) !== 0);
    // Node makes folders and files in it, when it begins and when it ends.
    const before = process.umask(forOthers);
    enableCompileCache(folder);
    process.umask(before);
    process.on('exit', () => process.umask(forOthers));
    return true;
  } catch {
    return !isOnAlready;
  }
}
