/** Tag suggestions; a registry with many tags gives only some of them. */
import { compareChoices } from '@portcullis/domain/tag-order';

export interface TagSuggestion {
  name: string;
  size: number | null;
  updated_at: string | null;
  platforms: string[];
}

export interface TagSuggestions {
  tags: TagSuggestion[];
  /** The registry has more tags. */
  more: boolean;
}

export function newestFirst({ tags, more }: TagSuggestions): TagSuggestions {
  return { tags: tags.toSorted((one, other) => compareChoices(one.name, other.name)), more };
}

/** Appends the search results to the first suggestions. */
export function withFound(
  first: TagSuggestions,
  found: TagSuggestions | undefined,
): TagSuggestions {
  const known = new Set(first.tags.map(({ name }) => name));
  const others = (found?.tags ?? []).filter(({ name }) => !known.has(name));
  return { tags: [...first.tags, ...others], more: first.more };
}
