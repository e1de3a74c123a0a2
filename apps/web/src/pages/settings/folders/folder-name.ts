export const ROOT = '__root__';

/** The display name. */
export function folderName(name: string, rootName: string): string {
  return name === ROOT ? rootName : name;
}
