import { ROOT_FOLDER } from '@portcullis/domain';

/** The display name. */
export function folderName(name: string, rootName: string): string {
  return name === ROOT_FOLDER ? rootName : name;
}
