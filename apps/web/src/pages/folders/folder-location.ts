/** The addresses of folder pages. */

export function folderPath(name: string): string {
  return `/folders/${encodeURIComponent(name)}`;
}
