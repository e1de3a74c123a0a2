/** The filters of a repository's tags, and the saved ones. */
import { Select } from '@mantine/core';
import { TAG_STANDINGS } from '@portcullis/domain/tag-standing';
import { memo } from 'react';
import { useMessages } from '../../../i18n/messages.ts';
import { SavedFilterChips } from '../../../kit/form/saved-filter-chips.tsx';
import { SearchField } from '../../../kit/form/search-field.tsx';
import classes from '../images.module.css';
import { parametersOf, type RepositoryView } from './repository-view.ts';

interface TagFiltersProps {
  /** Whether the standing of tags is known: in the built-in registry alone. */
  isJudged: boolean;
  view: RepositoryView;
  onChange(change: Partial<RepositoryView>): void;
}

/** Not rendered again when rows are selected. */
export const TagFilters = memo(function TagFilters({ isJudged, view, onChange }: TagFiltersProps) {
  const t = useMessages('images');
  const { anyVerdict, verdict } = useMessages('filters');
  const query = new URLSearchParams(parametersOf({ ...view, tag: null })).toString();
  return (
    <search className={classes.filters}>
      <SearchField
        className={classes.words ?? ''}
        label={t.filterTags}
        value={view.q}
        onChange={(q) => onChange({ q })}
      />
      {isJudged && (
        <Select
          aria-label={verdict}
          placeholder={anyVerdict}
          data={TAG_STANDINGS.map((value) => ({ value, label: t.standings[value] }))}
          value={view.standing}
          clearable
          clearButtonProps={{ 'aria-label': anyVerdict }}
          onChange={(chosen) =>
            onChange({ standing: TAG_STANDINGS.find((each) => each === chosen) ?? null })
          }
        />
      )}
      <div className={classes.saved}>
        <SavedFilterChips list={isJudged ? 'tags' : 'saved-registry-tags'} query={query} />
      </div>
    </search>
  );
});
