import { hostname, userInfo } from 'node:os';

/** Who runs the command: by number where the account has no name, as in a container. */
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
