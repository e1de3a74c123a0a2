/** Where to go after signing in: a path of ours, whatever the address says: a browser leaves tabs and line breaks out, and reads `\\` as `/`. */
export function localPath(next: string | null): string {
  return next !== null &&
    /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(next) &&
    !next.startsWith('/login')
    ? next
    : '/';
}
