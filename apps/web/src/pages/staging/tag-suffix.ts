/** `:tag`, or a shortened `@digest`. */
export function tagSuffix(tag: string): string {
  return tag.includes(':') ? `@${tag.slice(0, 19)}…` : `:${tag}`;
}
