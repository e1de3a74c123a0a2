/** The reviews of the selected waivers: each begins after a delay for undo. */
import type { Waiver } from '@portcullis/contract';
import { IconCheck, IconShieldOff, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { page } from '../../api/api.ts';
import { everyPage } from '../../api/every-page.ts';
import { useMessages } from '../../i18n/messages.ts';
import { useNothingToDo, useRowActs } from '../../kit/action/row-acts.ts';
import { AskedModal } from '../../kit/form/asked-close.tsx';
import type { SelectedRows } from '../../kit/table/selected-rows.ts';
import { SelectionBar } from '../../kit/table/selection-bar.tsx';
import { useChosenRows } from '../../kit/table/use-chosen-rows.ts';
import { useAccount } from '../../session/account.ts';
import { type Ending, EndingForm, rejection, revocation } from './ending-form.tsx';
import { mayDo, WAIVER_ACTS, type WaiverAct } from './reviewer.ts';
import type { queryOf } from './waiver-filter.ts';
import { waiverKey } from './waiver-table.tsx';

/** The conditions of the list. */
type Query = ReturnType<typeof queryOf>;

interface WaiverBarProps {
  /** The loaded ones. */
  waivers: readonly Waiver[];
  query: Query;
  selection: SelectedRows;
  /** How many match. */
  total: number;
}

const ICONS = { approve: IconCheck, reject: IconX, revoke: IconShieldOff };

/** Also the dialog that asks for a reason, which the end of the selection leaves open. */
export function WaiverBar({ waivers, query, selection, total }: WaiverBarProps) {
  const t = useMessages('waivers');
  const account = useAccount();
  const approve = useApproval();
  const sayNothing = useNothingToDo();
  const [ended, setEnded] = useState<Ended | null>(null);
  const { chosen, isPending, start } = useChosenRows({
    table: { rows: waivers, keyOf: waiverKey, selection },
    all: () => allWaivers(query),
  });

  function run(act: WaiverAct): void {
    start((found) => {
      const ids = found.filter((waiver) => mayDo(act, waiver, account)).map(waiverKey);
      if (ids.length === 0) sayNothing();
      else if (act === 'approve') approve(ids);
      else setEnded({ ending: act, ids });
    });
  }

  const applies = (act: WaiverAct) =>
    selection.everything || chosen.some((waiver) => mayDo(act, waiver, account));
  return (
    <>
      {selection.ids.length > 0 && (
        <SelectionBar
          selection={selection}
          total={total}
          buttons={WAIVER_ACTS.map((act) => ({
            label: t[act],
            icon: ICONS[act],
            danger: act !== 'approve',
            disabled: isPending || !applies(act),
            run: () => run(act),
          }))}
        />
      )}
      {ended && <EndingDialog {...ended} onClose={() => setEnded(null)} />}
    </>
  );
}

function allWaivers(query: Query): Promise<Waiver[]> {
  return everyPage((of) => page('waivers.list', { query: { ...query, ...of } }));
}

function useApproval(): (ids: readonly string[]) => void {
  const t = useMessages('waivers');
  const act = useRowActs();
  return (ids) =>
    act({
      name: 'waivers.approve',
      requests: ids.map((id) => ({ params: { id } })),
      changes: 'waivers.list',
      message: t.pending.approve(ids.length),
    });
}

interface Ended {
  ending: Ending;
  ids: readonly string[];
}

function EndingDialog({ ending, ids, onClose }: Ended & { onClose(): void }) {
  const t = useMessages('waivers');
  const act = useRowActs();
  function end(reason: string): void {
    const rest = { changes: 'waivers.list', message: t.pending[ending](ids.length) } as const;
    if (ending === 'reject')
      act({ name: 'waivers.reject', requests: ids.map((id) => rejection(id, reason)), ...rest });
    else
      act({ name: 'waivers.revoke', requests: ids.map((id) => revocation(id, reason)), ...rest });
    onClose();
  }
  return (
    <AskedModal opened onClose={onClose} title={t.endSeveral[ending](ids.length)}>
      {(close) => <EndingForm ending={ending} verb={t[ending]} onEnd={end} onClose={close} />}
    </AskedModal>
  );
}
