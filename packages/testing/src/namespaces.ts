/** Linux namespaces for tests: of root directly, of another account in a user namespace it owns. */

const isRoot = process.getuid?.() === 0;

/**
 * `unshare` for a command that follows it, in new namespaces of these kinds (`--mount`, …). The
 * command is root there; an ordinary account needs a kernel that lets it create user namespaces.
 */
export function unshared(...kinds: string[]): string[] {
  return ['unshare', ...(isRoot ? [] : ['--map-root-user']), ...kinds];
}

/** `nsenter` for a command that follows it, in the user and mount namespaces of a process. */
export function within(pid: number): string[] {
  const users = isRoot ? [] : ['--user', '--preserve-credentials'];
  return ['nsenter', `--target=${pid}`, ...users, '--mount', '--'];
}

/**
 * What podman and buildah of an ordinary account need to know in such a user namespace: they are
 * without privileges outside of it, and must not create another with the host's setuid programs,
 * which a bare system does not have.
 */
export function rootlessEnv(runtimeDir: string): Record<string, string> {
  if (isRoot) return {};
  return {
    _CONTAINERS_USERNS_CONFIGURED: 'done',
    _CONTAINERS_ROOTLESS_UID: String(process.getuid?.()),
    _CONTAINERS_ROOTLESS_GID: String(process.getgid?.()),
    XDG_RUNTIME_DIR: runtimeDir,
  };
}

/** The prefix with which such a program of an ordinary account is started; empty for root. */
export const ROOTLESS: readonly string[] = isRoot ? [] : unshared('--mount');
