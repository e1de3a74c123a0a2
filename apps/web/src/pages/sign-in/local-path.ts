/**
 * Open redirect guard: the path to go to after signing in. Browsers ignore tabs and line breaks in
 * URLs and read `\\` as `/`.
 */
export function localPath(next: string | null): string {
  return next !== null &&
    /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(next) &&
    !next.startsWith('/login')
    ? next
    : '/';
}
