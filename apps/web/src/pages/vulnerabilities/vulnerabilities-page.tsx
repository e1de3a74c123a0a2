/** Which vulnerabilities are in the images of the built-in registry. */
import { Select, Switch } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { SEVERITIES } from '@portcullis/domain';
import { useMessages } from '../../i18n/messages.ts';
import { SavedFilterChips } from '../../kit/form/saved-filter-chips.tsx';
import { SearchField } from '../../kit/form/search-field.tsx';
import { PageHead } from '../../kit/layout/page-head.tsx';
import { FolderFilter } from './folder-filter.tsx';
import classes from './vulnerabilities.module.css';
import {
  EVERYTHING,
  FIXES,
  parametersOf,
  sortOf,
  useVulnerabilityView,
} from './vulnerability-filter.ts';
import { VulnerabilityList } from './vulnerability-list.tsx';

export function Component() {
  const t = useMessages('vulnerabilities');
  const { severity } = useMessages('verdict');
  const [view, change] = useVulnerabilityView();
  const [q] = useDebouncedValue(view.q, 300);
  const query = new URLSearchParams(parametersOf(view)).toString();
  return (
    <>
      <PageHead title={t.title} description={t.lead} />
      <search className={classes.filters}>
        <SearchField
          className={classes.words ?? ''}
          label={t.search}
          value={view.q}
          onChange={(text) => change({ q: text })}
        />
        <Select
          aria-label={t.severity}
          placeholder={t.everySeverity}
          data={SEVERITIES.map((value) => ({ value, label: severity[value] }))}
          value={view.severity}
          clearable
          clearButtonProps={{ 'aria-label': t.everySeverity }}
          onChange={(chosen) =>
            change({ severity: SEVERITIES.find((each) => each === chosen) ?? null })
          }
        />
        <Select
          aria-label={t.fix}
          data={FIXES.map((value) => ({ value, label: t.fixes[value] }))}
          value={view.fix}
          allowDeselect={false}
          onChange={(chosen) => change({ fix: FIXES.find((each) => each === chosen) ?? 'all' })}
        />
        <FolderFilter value={view.folder} onChange={(folder) => change({ folder })} />
        <div className={classes.switches}>
          <Switch
            label={t.fresh}
            checked={view.fresh}
            onChange={(event) => change({ fresh: event.currentTarget.checked })}
          />
          <Switch
            label={t.onlyExploited}
            checked={view.exploited}
            onChange={(event) => change({ exploited: event.currentTarget.checked })}
          />
        </div>
        <div className={classes.saved}>
          <SavedFilterChips list="vulnerabilities" query={query} />
        </div>
      </search>
      <VulnerabilityList
        view={{ ...view, q }}
        onSort={(order) => change({ sort: sortOf(order) })}
        onClear={() => change(EVERYTHING)}
      />
    </>
  );
}
