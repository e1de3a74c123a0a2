/** The filters of the list of waivers besides the search. */
import { Button } from '@mantine/core';
import type { Waiver } from '@portcullis/contract';
import { IconX } from '@tabler/icons-react';
import { useMessages, useWords } from '../../i18n/messages.ts';
import { AccountFilter } from '../../kit/form/account-filter.tsx';
import { SearchField } from '../../kit/form/search-field.tsx';
import { TimeRangeField } from '../../kit/form/time-range-field.tsx';
import { FilterSelect } from '../../kit/list/filter-select.tsx';
import type { FilteredList, StateOf } from '../../kit/list/list.ts';
import { useAccount } from '../../session/account.ts';
import { isReviewer } from './reviewer.ts';
import { ENDINGS, WAIVER_VIEWS, type waiverFilter } from './waiver-filter.ts';
import classes from './waivers.module.css';

interface WaiverFiltersProps {
  list: FilteredList<Waiver, StateOf<ReturnType<typeof waiverFilter>>>;
  /** Without one in the address. */
  first: 'review' | 'all';
}

export function WaiverFilters({ list: { state, change }, first }: WaiverFiltersProps) {
  const [t, format] = useWords('waivers');
  const account = useAccount();
  return (
    <>
      <FilterSelect
        label={t.state}
        values={WAIVER_VIEWS.filter((each) => isReviewer(account) || each !== 'review')}
        names={t.views}
        value={state.view ?? first}
        onChange={(view) => change({ view })}
      />
      <RequesterFilter value={state.requester} onChange={(requester) => change({ requester })} />
      <div className={classes.times}>
        <TimeRangeField
          label={t.requestedAt}
          prefix={`${t.requestedAt}${format.colon}`}
          value={state.requested}
          onChange={(requested) => change({ requested })}
        />
      </div>
      <FilterSelect
        label={t.end}
        values={ENDINGS}
        names={t.endings}
        value={state.ends}
        onChange={(ends) => change({ ends: ends ?? 'any' })}
      />
      {state.folder !== null && (
        <Button
          variant="default"
          rightSection={<IconX size={14} aria-hidden="true" />}
          onClick={() => change({ folder: null })}
        >
          {t.onlyFolder(state.folder)}
        </Button>
      )}
    </>
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
