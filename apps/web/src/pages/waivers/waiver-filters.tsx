/** The filters of the list of waivers, and the saved ones. */
import { Button, Select } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useFormat } from '../../i18n/format.ts';
import { useMessages } from '../../i18n/messages.ts';
import { AccountFilter } from '../../kit/form/account-filter.tsx';
import { SavedFilterChips } from '../../kit/form/saved-filter-chips.tsx';
import { SearchField } from '../../kit/form/search-field.tsx';
import { TimeRangeField } from '../../kit/form/time-range-field.tsx';
import { useAccount } from '../../session/account.ts';
import { isReviewer } from './reviewer.ts';
import {
  ANY_WAIVER,
  ENDINGS,
  isNarrowed,
  parametersOf,
  WAIVER_VIEWS,
  type WaiverListFilter,
  type WaiverQuestion,
} from './waiver-filter.ts';
import classes from './waivers.module.css';

interface WaiverFiltersProps extends Pick<WaiverQuestion, 'view'> {
  filter: WaiverListFilter;
  onChange(change: Partial<WaiverListFilter>): void;
}

export function WaiverFilters({ view, filter, onChange }: WaiverFiltersProps) {
  const t = useMessages('waivers');
  const { clear } = useMessages('filters');
  const format = useFormat();
  const account = useAccount();
  const views = WAIVER_VIEWS.filter((each) => isReviewer(account) || each !== 'review');
  return (
    <search className={classes.filters}>
      <SearchField
        className={classes.words ?? ''}
        label={t.search}
        value={filter.q}
        onChange={(q) => onChange({ q })}
      />
      <Select
        aria-label={t.state}
        data={views.map((value) => ({ value, label: t.views[value] }))}
        value={view}
        allowDeselect={false}
        onChange={(chosen) => onChange({ view: views.find((each) => each === chosen) ?? null })}
      />
      <RequesterFilter value={filter.requester} onChange={(requester) => onChange({ requester })} />
      <div className={classes.times}>
        <TimeRangeField
          label={t.requestedAt}
          prefix={`${t.requestedAt}${format.colon}`}
          value={filter}
          onChange={onChange}
        />
      </div>
      <Select
        className={classes.ends ?? ''}
        aria-label={t.end}
        data={ENDINGS.map((value) => ({ value, label: t.endings[value] }))}
        value={filter.ends}
        allowDeselect={false}
        onChange={(chosen) => onChange({ ends: ENDINGS.find((each) => each === chosen) ?? 'any' })}
      />
      {filter.folder !== null && (
        <Button
          variant="default"
          rightSection={<IconX size={14} aria-hidden="true" />}
          onClick={() => onChange({ folder: null })}
        >
          {t.onlyFolder(filter.folder)}
        </Button>
      )}
      {isNarrowed(filter) && (
        <Button variant="subtle" color="gray" onClick={() => onChange(ANY_WAIVER)}>
          {clear}
        </Button>
      )}
      <div className={classes.saved}>
        <SavedFilterChips
          list="waivers"
          query={new URLSearchParams(parametersOf({ ...filter, open: null })).toString()}
        />
      </div>
    </search>
  );
}

interface RequesterFilterProps {
  value: string;
  onChange(username: string): void;
}

/** Only administrators may list accounts: others type the name. */
function RequesterFilter(props: RequesterFilterProps) {
  const t = useMessages('waivers');
  const { is_admin } = useAccount();
  if (is_admin) return <AccountFilter label={t.requestedBy} {...props} />;
  return <SearchField label={t.requestedBy} leftSection={null} {...props} />;
}
