/**
 * The words that occur where a folder's name could: such a folder couldn't be asked for by its
 * name.
 */
export const FOLDER_WORDS: readonly string[] = [
  'mine',
  'pushable',
  'pullable-external',
  'pushable-external',
  'names',
  'explain',
];
