import { describe, expect, it } from 'vitest';
import { newestFirst, type TagSuggestions, withFound } from './tag-offer.ts';

const offer = (names: string[], more = false): TagSuggestions => ({
  tags: names.map((name) => ({ name, size: null, updated_at: null, platforms: [] })),
  more,
});
const names = ({ tags }: TagSuggestions) => tags.map(({ name }) => name);

describe('the tags of another registry', () => {
  it('are sorted with latest first, then the newest version', () => {
    const offered = newestFirst(offer(['1.10.0', '1.9.0', 'edge', 'latest'], true));
    expect(names(offered)).toEqual(['latest', '1.10.0', '1.9.0', 'edge']);
    expect(offered.more).toBe(true);
  });

  it('search results are appended to the first page, without duplicates', () => {
    const first = offer(['1.0.0', '1.1.0'], true);
    expect(withFound(first, undefined)).toEqual(first);
    const both = withFound(first, offer(['1.1.0', '9.1.0']));
    expect(names(both)).toEqual(['1.0.0', '1.1.0', '9.1.0']);
    expect(both.more).toBe(true);
  });
});
