/**
 * Path segments that are routes below `/folders`. A folder with such a name could not be addressed
 * by its name.
 */
export const FOLDER_WORDS: readonly string[] = [
  'mine',
  'pushable',
  'writable',
  'askable',
  'pullable-external',
  'pushable-external',
  'names',
  'overview',
  'mirrors',
  'explain',
];
