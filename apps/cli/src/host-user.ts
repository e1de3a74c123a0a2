import { hostname, userInfo } from 'node:os';

/** The account that runs the command: by number where it has no name, as in a container. */
export function hostUser(account: () => { username: string } = userInfo): string {
  return `${nameOf(account)}@${hostname()}`;
}

function nameOf(account: () => { username: string }): string {
  try {
    return account().username;
  } catch {
    return `uid ${process.getuid?.()}`;
  }
}
