/**
 * Immutable tags: a tag that matches a pattern of its folder may be created; once it exists, it is
 * neither moved to another digest nor deleted.
 */
import { matcher } from './tag-selection.ts';

/** The pattern that a tag matches; null for a tag that may change. */
export type PatternOf = (tag: string) => string | null;

/** @param globs as `TagMatch` has them. @throws Error for an invalid one */
export function immutablePattern(globs: readonly string[]): PatternOf {
  const patterns = globs.map((glob) => ({ glob, matches: matcher({ glob }) }));
  return (tag) => patterns.find(({ matches }) => matches(tag))?.glob ?? null;
}

export interface TagChange {
  tag: string;
  /** The digest that the tag leads to; null while it does not exist. */
  present: string | null;
  /** Null: the tag is deleted. */
  next: string | null;
}

/** The pattern that refuses the change; null where it is allowed. */
export function refusingPattern(
  patternOf: PatternOf,
  { tag, present, next }: TagChange,
): string | null {
  return present === null || present === next ? null : patternOf(tag);
}
