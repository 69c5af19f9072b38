/** The default browser of this machine, where there is one. */
import type {ChildProcess} from 'node:child_process';

type Environment = Readonly<Record<string, string | undefined>>;

/** How long a launcher takes to find out that there is no browser, in milliseconds. */
const launchTime = 1500;

/** Why no browser can be opened here, as far as the environment shows; undefined when nothing speaks against it. */
export function whyNoBrowser(environment: Environment = process.env, platform: string = process.platform): string | undefined {
  const has = (name: string): boolean => (environment[name] ?? '') !== '';
  // Who sets it over SSH means a way back to the browser at the other end.
  if (platform === 'linux' && has('BROWSER')) return undefined;
  if (has('SSH_CONNECTION')) return 'this is a session over SSH';
  const displays = ['DISPLAY', 'WAYLAND_DISPLAY', 'WSL_DISTRO_NAME'];
  return platform === 'linux' && !displays.some(has) ? 'this machine has no display' : undefined;
}

/** The exit status of a launcher; 0 for one that goes on, as it has become the browser. */
function endOf(launcher: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, launchTime, 0);
    launcher.once('exit', (status) => {
      clearTimeout(timer);
      resolve(status);
    });
  });
}

/** Opens an address in the browser; says why when that does not work, and never fails. */
export async function openBrowser(url: string): Promise<string | undefined> {
  const why = whyNoBrowser();
  if (why !== undefined) return why;
  try {
    const {default: open} = await import('open');
    const launcher = await open(url);
    const status = launcher.exitCode ?? (await endOf(launcher));
    return status === 0 ? undefined : 'no browser was found';
  } catch {
    return 'the browser could not be started';
  }
}
