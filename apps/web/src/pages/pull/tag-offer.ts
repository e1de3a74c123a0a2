/** What a registry offers of its tags: a part of them, where it has many. */
import { compareChoices } from '@portcullis/domain/tag-order';

export interface TagSuggestion {
  name: string;
  size: number | null;
  updated_at: string | null;
  platforms: string[];
}

export interface TagSuggestions {
  tags: TagSuggestion[];
  /** These are the first in the registry's own order; it has others. */
  more: boolean;
}

export function newestFirst({ tags, more }: TagSuggestions): TagSuggestions {
  return { tags: tags.toSorted((one, other) => compareChoices(one.name, other.name)), more };
}

/** What was found by typing comes to what was there; that there is more is about the latter. */
export function withFound(
  first: TagSuggestions,
  found: TagSuggestions | undefined,
): TagSuggestions {
  const known = new Set(first.tags.map(({ name }) => name));
  const others = (found?.tags ?? []).filter(({ name }) => !known.has(name));
  return { tags: [...first.tags, ...others], more: first.more };
}
