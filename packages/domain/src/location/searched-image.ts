/** What people type or paste to find an image: a part of a name, or any spelling of a reference. */

/** Conditions that one image meets together; a part of a repository or tag is enough. */
export interface SearchedImage {
  repository: string;
  /** A beginning. */
  tag?: string;
  /** A beginning. */
  digest?: string;
}

/** Each further word costs as many comparisons of each row. */
const MOST_WORDS = 8;

/** The beginning of a digest, with or without its algorithm; null for a word that is none. */
export function searchedDigest(word: string): string | null {
  const hex = /^(?:sha256:)?([0-9a-f]{6,64})$/.exec(word.toLowerCase())?.[1];
  return hex === undefined ? null : `sha256:${hex}`;
}

/** Each word has to be found. */
export function searchedWords(text: string): string[] {
  return text.split(/\s+/).filter(Boolean).slice(0, MOST_WORDS);
}

/**
 * `docker://docker.io/library/nginx:1.27@sha256:…` without its scheme and its registry, which is
 * known under several names; null for a word that is not a reference with a tag, a digest or a
 * registry.
 */
export function searchedImage(word: string): SearchedImage | null {
  if (/^sha256:[0-9a-f]*$/.test(word)) return null;
  const named = word.replace(/^[a-z]+:\/\//, '');
  const [name = '', digest] = named.split('@');
  const [first = '', ...rest] = name.split('/');
  const hasHost = rest.length > 0 && /[.:]|^localhost$/.test(first);
  const path = hasHost ? rest.join('/') : name;
  const [repository = '', tag] = path.split(':');
  if (repository === '' || (!hasHost && tag === undefined && digest === undefined)) return null;
  return { repository, ...(tag && { tag }), ...(digest && { digest }) };
}
