/** A digest in the place of a tag is known by its beginning. */
export function tagSuffix(tag: string): string {
  return tag.includes(':') ? `@${tag.slice(0, 19)}…` : `:${tag}`;
}
