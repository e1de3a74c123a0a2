/** Where to go after signing in: a path of ours, whatever the address says. */
export function localPath(next: string | null): string {
  return next !== null && /^\/(?![/\\])/.test(next) && !next.startsWith('/login') ? next : '/';
}
